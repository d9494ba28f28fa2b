/** Certificates for tests of TLS, made with `openssl`. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate and its key, in PEM. */
export interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Whether certificates can be made here; where not, that is printed once per file of tests. */
export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) console.log("skipped: certificates are made with openssl; install it to run these tests");

const KEY = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
const DAYS = ["-days", "2"];
const NAMES = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];

/** An authority of its own, valid for two days. Nothing of it stays on the disk. */
export function authority<const N extends string>(
  ...subjects: readonly N[]
): { readonly ca: Buffer; readonly of: Readonly<Record<N, KeyPair>> } {
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  const at = (name: string): string => join(folder, name);
  const run = (...args: readonly string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  try {
    const own = ["-subj", "/CN=authority", "-keyout", at("ca.key"), "-out", at("ca.crt")];
    run(...KEY, "-x509", ...DAYS, ...own);
    const signed = [
      "-CA",
      at("ca.crt"),
      "-CAkey",
      at("ca.key"),
      "-CAcreateserial",
      "-copy_extensions",
      "copy",
    ];
    const issue = (subject: N): [N, KeyPair] => {
      run(...KEY, ...NAMES, "-subj", `/CN=${subject}`, "-keyout", at("key"), "-out", at("request"));
      run("x509", "-req", "-in", at("request"), ...signed, ...DAYS, "-out", at("cert"));
      return [subject, { cert: readFileSync(at("cert")), key: readFileSync(at("key")) }];
    };
    const of = Object.fromEntries(subjects.map(issue)) as Record<N, KeyPair>;
    return { ca: readFileSync(at("ca.crt")), of };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
