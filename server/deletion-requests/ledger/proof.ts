/**
 * The signed part of a receipt. It is plain text, identifies no one, and can be verified without
 * our help.
 */
export type Proof = {
  /** The ledger entry, exactly as signed. */
  text: string;
  signature: string;
  keyVersion: number;
  /**
   * Together with the owner's email address, proves who owns the receipt. `undefined` if the
   * receipt has no number.
   */
  number: string | undefined;
  /**
   * Version 1.12 prints `entry` and `hash` in its emails. During an update, it may send emails that
   * this version queued.
   */
  entry: number;
  hash: string;
};

/**
 * Commands that verify a receipt of any version with openssl. `key.pem` is the key listed in the
 * receipt.
 */
export const checkingCommands = [
  "tr -d '\\r' < receipt.txt | sed '1,/^Signature: /d' | grep . > signed.txt",
  "tr -d '\\r' < receipt.txt | sed -n 's/^Signature: //p' | openssl base64 -d -A > signature.bin",
  "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed.txt -sigfile signature.bin",
];

/** Command that computes a receipt's `Address` line from the owner's email address. */
export const addressCommand =
  "printf '%s:%s' \"$(tr -d '\\r' < receipt.txt | sed -n 's/^Number: //p')\" ADDRESS | openssl dgst -sha256";
