/**
 * What a receipt carries so that others can check it without us: the entry of the ledger as it was signed. Text only,
 * and nothing in it names a person.
 */
export type Proof = {
  /** Where the entry stands in the ledger. */
  entry: number;
  hash: string;
  /** The entry as it was signed. */
  text: string;
  signature: string;
  keyVersion: number;
  /** With the address it shows whom the entry means; undefined where the entry does not say. */
  number: string | undefined;
};

/** How anybody checks a receipt with openssl, once `key.pem` is the key that it names. */
export const checkingCommands = [
  "tr -d '\\r' < receipt.txt > plain.txt",
  "sed -n '/^Deletion ledger, entry /,/^$/p' plain.txt | grep . > entry.txt",
  "sed -n 's/^Signature: //p' plain.txt | openssl base64 -d -A > entry.sig",
  "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in entry.txt -sigfile entry.sig",
  "openssl dgst -sha256 entry.txt",
];

/** How the person whose receipt it is shows that the entry means their address. */
export const addressCommand =
  "printf '%s:%s' \"$(sed -n 's/^Number: //p' plain.txt)\" ADDRESS | openssl dgst -sha256";
