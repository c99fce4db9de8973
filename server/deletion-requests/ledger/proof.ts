/**
 * The signed part of a receipt, which anyone can check without our help. It is plain text and
 * identifies no one.
 */
export type Proof = {
  /** The ledger entry, exactly as signed. */
  text: string;
  signature: string;
  keyVersion: number;
  /**
   * Identifies the receipt's owner to someone who also has the email address. Undefined for
   * receipts without a number.
   */
  number: string | undefined;
  /**
   * Version 1.12 prints these two in its email; during an update, it may send emails that this
   * version wrote.
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

/** Command that computes a receipt's `Address` line from the requester's email address. */
export const addressCommand =
  "printf '%s:%s' \"$(tr -d '\\r' < receipt.txt | sed -n 's/^Number: //p')\" ADDRESS | openssl dgst -sha256";
