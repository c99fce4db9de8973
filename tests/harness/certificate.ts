import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Creates a self-signed certificate for this machine. The file names match the sample nginx
 * configuration.
 */
export async function makeCertificate(folder: string, name = "localhost") {
  const [key, certificate] = [join(folder, "privkey.pem"), join(folder, "fullchain.pem")];
  const how = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const whose = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", key, "-out", certificate];
  await promisify(execFile)("openssl", ["req", "-x509", ...how, ...whose, ...files]);
  return { key, certificate };
}
