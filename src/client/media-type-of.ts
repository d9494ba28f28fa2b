const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  gif: "image/gif",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  md: "text/markdown",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
  wav: "audio/wav",
  webp: "image/webp",
  xml: "application/xml",
  zip: "application/zip",
};

/** The media type of a file name by its extension; undefined for one that is not common. */
export function mediaTypeOf(filename: string): string | undefined {
  const extension = /\.([a-z\d]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(types, extension) ? types[extension] : undefined;
}
