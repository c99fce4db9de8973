/**
 * Signed part of a receipt, which anyone can check without our help. It is plain text and
 * identifies no person.
 */
export type Proof = {
  /** The ledger entry as it was signed. */
  text: string;
  signature: string;
  keyVersion: number;
  /**
   * Identifies the receipt's owner to someone who also has the address. Undefined for receipts that
   * have no number.
   */
  number: string | undefined;
  /**
   * Version 1.12 names both in its email and, during an update, may send emails written by this
   * version.
   */
  entry: number;
  hash: string;
};

/**
 * Commands that check a receipt of any version with openssl; `key.pem` is the key that the receipt
 * names.
 */
export const checkingCommands = [
  "tr -d '\\r' < receipt.txt | sed '1,/^Signature: /d' | grep . > signed.txt",
  "tr -d '\\r' < receipt.txt | sed -n 's/^Signature: //p' | openssl base64 -d -A > signature.bin",
  "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed.txt -sigfile signature.bin",
];

/** Command that computes the `Address` line of a receipt from the person's address. */
export const addressCommand =
  "printf '%s:%s' \"$(tr -d '\\r' < receipt.txt | sed -n 's/^Number: //p')\" ADDRESS | openssl dgst -sha256";
