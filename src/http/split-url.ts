/** Path and query of a request target, without building a URL: `/a?b` → `/a`, `b`; an absolute form loses its origin. */
export function splitUrl(url: string): { readonly path: string; readonly query: string } {
  let target = url;
  if (!target.startsWith("/")) {
    const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target);
    if (origin) target = target.slice(origin[0].length);
  }
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  return { path: path === "" ? "/" : path, query: at < 0 ? "" : target.slice(at + 1) };
}

/** A base path without its trailing slash: `/` → ``, `a2a/` → `/a2a`. */
export function normalBase(basePath: string): string {
  const trimmed = basePath.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? "" : `/${trimmed}`;
}
