/**
 * An id as one segment of a resource name: a slash of its own is encoded, as it is in a URL path, and so is what would be
 * taken for one. No id is an empty one.
 */
export const toSegment = (id: unknown): string =>
  typeof id === "string" ? id.replace(/%(?=(?:25)*2F)/gi, "%25").replaceAll("/", "%2F") : "";

/** The id that a segment stands for. */
export const fromSegment = (segment: string): string =>
  segment.replace(/%(25)*2F/gi, (found) => (found.length === 3 ? "/" : `%${found.slice(3)}`));
