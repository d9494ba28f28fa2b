const raw = "https://raw.githubusercontent.com/a2aproject/A2A";

/** Where the official files of a release are published. */
export interface Upstream {
  readonly json: { readonly url: string; readonly note?: string };
  readonly proto: { readonly url: string; readonly note?: string };
}

/**
 * 0.x commits both files. From 1.0 on only the proto is committed: the `a2a.json` is built from it for the release and
 * published with the documentation, so its digest is the only pin.
 */
export function upstreamOf(release: string): Upstream {
  const tree = `${raw}/v${release}/specification`;
  if (release.startsWith("0.")) {
    return { json: { url: `${tree}/json/a2a.json` }, proto: { url: `${tree}/grpc/a2a.proto` } };
  }
  return {
    json: {
      url: `https://a2a-protocol.org/v${release}/spec/a2a.json`,
      note: "Build artefact of the release, made from the proto file; not committed upstream.",
    },
    proto: { url: `${tree}/a2a.proto` },
  };
}
