/** The little of Bun, Deno and Workers that these examples use. */
declare const Bun: {
  readonly env: Readonly<Record<string, string | undefined>>;
  serve(options: {
    port: number;
    hostname: string;
    /** Seconds; 0 keeps silent streams open. */
    idleTimeout: number;
    fetch: (request: Request) => Promise<Response>;
  }): { readonly url: URL };
};
declare const Deno: {
  readonly env: { get(name: string): string | undefined };
  serve(
    options: { port: number; hostname: string },
    fetch: (request: Request) => Promise<Response>,
  ): { readonly addr: { readonly port: number } };
};
