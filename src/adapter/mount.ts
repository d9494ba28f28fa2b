import type { HttpHandler } from "../http/types.js";

/** What framework adapters serve: an agent server, a router, or a core handler. */
export type Mountable = HttpHandler | { readonly handle: HttpHandler };

/** The core handler of what is mounted, and where it expects its paths to start. */
export function handlerOf(mounted: Mountable): { readonly handle: HttpHandler; readonly base: string } {
  const handle = typeof mounted === "function" ? mounted : mounted.handle;
  return { handle, base: "basePath" in handle && typeof handle.basePath === "string" ? handle.basePath : "" };
}

/**
 * The request target as the handler expects it. Paths count from the mount point (`/agents/echo`, also with parameters),
 * unless the handler's own base starts there.
 */
export function mountedUrl(url: string, mount: string, base: string): string {
  if (mount === "" || base === mount || base.startsWith(`${mount}/`)) return url;
  let at = 0;
  for (const character of mount) {
    if (character !== "/") continue;
    const slash = url.indexOf("/", at);
    if (slash < 0) return url;
    at = slash + 1;
  }
  const rest = /[/?]/.exec(url.slice(at));
  if (!rest) return "/";
  const below = url.slice(at + rest.index);
  return below.startsWith("/") ? below : `/${below}`;
}
