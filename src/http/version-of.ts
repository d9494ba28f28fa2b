/** The version that a request asks for: the header if it says something, else the query parameter (decision 4). */
export function versionOf(
  header: string,
  headers: Readonly<Record<string, string | undefined>>,
  query: string,
): string | undefined {
  const value = headers[header];
  if (query === "" || (value !== undefined && value.trim() !== "")) return value;
  for (const [name, given] of new URLSearchParams(query)) {
    if (name.toLowerCase() === header) return given;
  }
  return value;
}
