/**
 * True for the event after which a stream of 0.x closes: a status update with `final`, bare as JSON-RPC has it or in the
 * wrapper of the ProtoJSON form.
 */
export function isFinal(event: unknown): boolean {
  const { final, statusUpdate } = event as { readonly final?: unknown; readonly statusUpdate?: unknown };
  if (final === true) return true;
  return (
    typeof statusUpdate === "object" &&
    statusUpdate !== null &&
    (statusUpdate as { readonly final?: unknown }).final === true
  );
}
