import { ceilTimestamp } from "../ceil-timestamp.js";
import { decodePageToken, encodePageToken } from "../page-token.js";
import type { ListQuery, Scope } from "../types.js";

/** Where a page of tasks goes on, and what its token is made for. */
export interface ListPlan {
  /** First status time that matches; `""` for all. */
  readonly since: string;
  /** Time and id of the last task of the page before. */
  readonly after: { readonly ts: string; readonly id: string } | undefined;
  token(ts: string, id: string): string;
}

/** Reads the filters of a listing. Throws `INVALID_PARAMS` where the page token is not of this listing. */
export function planList(scope: Scope, query: ListQuery): ListPlan {
  const since = query.statusTimestampAfter === undefined ? "" : ceilTimestamp(query.statusTimestampAfter);
  const made = ["tasks", scope.tenant, scope.owner, query.contextId ?? "", query.state ?? "", since];
  const { pageToken = "" } = query;
  const [ts, id] = pageToken === "" ? [] : decodePageToken(pageToken, made, 2);
  return {
    since,
    after: ts === undefined || id === undefined ? undefined : { ts, id },
    token: (...position) => encodePageToken(position, made),
  };
}
