import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filePart } from "a2a-typed/client";
import { fileFromPath, networkGuard, readFile } from "a2a-typed/node";
import { http, misbehave, type RawServer } from "./misbehaving-server.js";

const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => n % 256);

describe("a file part", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "a2a-files-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("of bytes, a blob and a file", async () => {
    const blob = new Blob([bytes], { type: "image/png" });
    for (const source of [bytes, blob]) {
      expect((await readFile(await filePart(source))).bytes).toEqual(bytes);
    }
    expect(await filePart(new Uint8Array([104, 105]), { filename: "a.txt" })).toEqual({
      raw: "aGk=",
      filename: "a.txt",
    });
    expect((await filePart(blob)).mediaType).toBe("image/png");
    expect((await filePart(new File(["x"], "x.pdf"))).filename).toBe("x.pdf");
    const small = { maxBytes: bytes.length - 1 };
    await expect(filePart(blob, small)).rejects.toMatchObject({ reason: "PAYLOAD_TOO_LARGE" });
    await expect(readFile(await filePart(blob), small)).rejects.toMatchObject({
      reason: "PAYLOAD_TOO_LARGE",
    });
  });

  it("of a path", async () => {
    const path = join(folder, "numbers.csv");
    await writeFile(path, bytes);
    const part = await fileFromPath(path);
    expect(part).toMatchObject({ filename: "numbers.csv", mediaType: "text/csv" });
    expect((await readFile(part)).bytes).toEqual(bytes);
    const refused = fileFromPath(path, { maxBytes: 99_999 });
    await expect(refused).rejects.toMatchObject({ reason: "PAYLOAD_TOO_LARGE" });
    expect((await fileFromPath(path, { maxBytes: 100_000, mediaType: "x/y" })).mediaType).toBe("x/y");
    await expect(fileFromPath(join(folder, "none"))).rejects.toThrow(/none cannot be read \(ENOENT\)/);
    await expect(fileFromPath(folder)).rejects.toThrow(/cannot be read \(EISDIR\)/);
  });
});

describe("the file of a URL", () => {
  let server: RawServer;
  const allow = ["127.0.0.1"];
  beforeAll(async () => {
    server = await misbehave(({ head, socket }) => {
      const path = head.split(" ")[1] ?? "";
      if (path === "/file") socket.end(http(Buffer.from(bytes), { "content-type": "image/png" }));
      else if (path === "/near") socket.end(http("", { location: "/file" }, "302 There"));
      else if (path === "/far") socket.end(http("", { location: "http://169.254.169.254/" }, "302 There"));
      else if (path === "/endless")
        socket.end(Buffer.concat([Buffer.from("HTTP/1.0 200 OK\r\n\r\n"), bytes, bytes]));
      else if (path === "/none") socket.end(http("", {}, "404 Not Found"));
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const read = (path: string, options = {}) =>
    readFile({ url: `${server.url}${path}` }, { allow, ...options });

  it("is fetched, also after a redirect within its origin", async () => {
    expect(await read("file")).toEqual({ bytes, mediaType: "image/png", filename: undefined });
    expect((await read("near")).bytes).toEqual(bytes);
    await using guard = networkGuard({ allow });
    expect((await readFile({ url: `${server.url}file`, filename: "a.png" }, { guard })).filename).toBe(
      "a.png",
    );
  });

  it.each([
    ["private addresses", "file", { allow: [] }, "FORBIDDEN_TARGET"],
    ["redirects to another origin", "far", {}, "HTTP"],
    ["a failure", "none", {}, "HTTP"],
    ["a file that is too large by its headers", "file", { maxBytes: 99_999 }, "PAYLOAD_TOO_LARGE"],
    ["a file that is too large without them", "endless", { maxBytes: 150_000 }, "PAYLOAD_TOO_LARGE"],
    ["a server that does not answer", "silent", { timeoutMs: 100 }, "TIMEOUT"],
  ])("not: %s", async (_, path, options, reason) => {
    await expect(read(path, options)).rejects.toMatchObject({ reason });
    await server.idle();
  });

  it("nor a URL of another kind, or a part that is no file", async () => {
    await expect(readFile({ url: "file:///etc/passwd" })).rejects.toMatchObject({ reason: "CONFIG" });
    await expect(readFile({ text: "hi" })).rejects.toMatchObject({ reason: "CONFIG" });
    await expect(readFile({ raw: "***" })).rejects.toMatchObject({ reason: "DECODE" });
    await expect(readFile({ url: "http://localhost/x" })).rejects.toMatchObject({
      reason: "FORBIDDEN_TARGET",
    });
  });
});
