/** The little of autocannon that the bench uses; it ships no types of its own. */
declare module "autocannon" {
  interface Options {
    url: string;
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    connections?: number;
    /** Seconds. */
    duration?: number;
    /** Milliseconds between two looks at what has come. */
    sampleInt?: number;
    /** Number of requests, instead of a duration. */
    amount?: number;
  }
  export interface Result {
    requests: { average: number; total: number };
    /** Milliseconds. */
    latency: { p50: number; p99: number };
    non2xx: number;
    errors: number;
  }
  function autocannon(options: Options): Promise<Result>;
  // eslint-disable-next-line no-restricted-exports -- the shape of the package
  export default autocannon;
}
