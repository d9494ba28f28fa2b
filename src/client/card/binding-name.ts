/** Names of bindings as people write them, in capitals and without punctuation, and the name of the specification. */
const canonical: Readonly<Record<string, string>> = {
  JSONRPC: "JSONRPC",
  JSONRPC2: "JSONRPC",
  JSONRPC20: "JSONRPC",
  JSONRPCHTTP: "JSONRPC",
  HTTPJSON: "HTTP+JSON",
  HTTPJSONREST: "HTTP+JSON",
  HTTPREST: "HTTP+JSON",
  JSONREST: "HTTP+JSON",
  JSONHTTP: "HTTP+JSON",
  REST: "HTTP+JSON",
  RESTJSON: "HTTP+JSON",
  GRPC: "GRPC",
};

/** The binding that is meant: `HTTP_JSON`, `http+json/rest` and `REST` are `HTTP+JSON`. Unknown names stay as they are. */
export function canonicalBinding(name: string): string {
  const key = name.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return Object.hasOwn(canonical, key) ? (canonical[key] ?? name) : name.trim();
}
