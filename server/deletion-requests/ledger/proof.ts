/**
 * Signed part of a receipt, which anyone can check without us. It is plain text and names no
 * person.
 */
export type Proof = {
  /** The ledger entry, as it was signed. */
  text: string;
  signature: string;
  keyVersion: number;
  /**
   * Identifies the receipt's owner, together with the address. Undefined for receipts without it.
   */
  number: string | undefined;
  /** Version 1.12 names both in its email, and may send this version's emails during an update. */
  entry: number;
  hash: string;
};

/** Checks a receipt of any version with openssl; `key.pem` is the key that the receipt names. */
export const checkingCommands = [
  "tr -d '\\r' < receipt.txt | sed '1,/^Signature: /d' | grep . > signed.txt",
  "tr -d '\\r' < receipt.txt | sed -n 's/^Signature: //p' | openssl base64 -d -A > signature.bin",
  "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed.txt -sigfile signature.bin",
];

/** Command that prints the `Address` of a receipt from the person's address. */
export const addressCommand =
  "printf '%s:%s' \"$(tr -d '\\r' < receipt.txt | sed -n 's/^Number: //p')\" ADDRESS | openssl dgst -sha256";
