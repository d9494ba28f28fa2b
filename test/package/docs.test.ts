import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The member names of an interface, its own ones only. */
function membersOf(path: string, name: string): string[] {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  const found = source.statements.filter(ts.isInterfaceDeclaration).find((node) => node.name.text === name);
  return (found?.members ?? []).flatMap((member) =>
    member.name && ts.isIdentifier(member.name) ? [member.name.text] : [],
  );
}

describe("docs name every option of", () => {
  it.each([
    ["ClientOptions", "src/client/client-types.ts", "docs/client.md"],
    ["CallOptions", "src/client/client-types.ts", "docs/client.md"],
    ["HttpOptions", "src/client/fetch-like.ts", "docs/client.md"],
    ["HttpJsonOptions", "src/binding/http-json-client.ts", "docs/client.md"],
    ["ConnectOptions", "src/client/connect-options.ts", "docs/client.md"],
    ["ClientExtension", "src/client/client-extension.ts", "docs/client.md"],
    ["FindCardOptions", "src/client/find-card.ts", "docs/client.md"],
    ["SelectOptions", "src/client/card/select-interface.ts", "docs/client.md"],
    ["CardOptions", "src/client/fetch-agent-card.ts", "docs/client.md"],
    ["ReadCardOptions", "src/client/card/read-agent-card.ts", "docs/client.md"],
    ["AgentFacts", "src/client/agent.ts", "docs/client.md"],
    ["AgentExtras", "src/client/agent.ts", "docs/client.md"],
    ["PushConfigs", "src/client/push-configs.ts", "docs/client.md"],
    ["RemoteTaskEvents", "src/client/remote-task.ts", "docs/client.md"],
    ["ResultOptions", "src/client/remote-task.ts", "docs/client.md"],
    ["RetryOptions", "src/client/retry-calls.ts", "docs/client.md"],
    ["FollowOptions", "src/client/task-follower.ts", "docs/client.md"],
    ["AccessOptions", "src/client/connect-access.ts", "docs/client.md"],
    ["TrustOptions", "src/client/card-trust.ts", "docs/client-auth.md"],
    ["NetworkGuardOptions", "src/client/network-guard.ts", "docs/client-auth.md"],
    ["TlsOptions", "src/client/tls-options.ts", "docs/client-auth.md"],
    ["CredentialsOptions", "src/client/auth/credentials.ts", "docs/client-auth.md"],
    ["ApiKeyOptions", "src/client/auth/api-key.ts", "docs/client-auth.md"],
    ["AuthOperation", "src/client/auth/types.ts", "docs/client-auth.md"],
    ["OAuthOptions", "src/client/auth/oauth/options.ts", "docs/client-auth.md"],
    ["AuthorizationCodeOptions", "src/client/auth/oauth/authorization-code.ts", "docs/client-auth.md"],
    ["DeviceCodeOptions", "src/client/auth/oauth/device-code.ts", "docs/client-auth.md"],
    ["DevicePrompt", "src/client/auth/oauth/device-code.ts", "docs/client-auth.md"],
    ["TokenExchangeOptions", "src/client/auth/oauth/token-exchange.ts", "docs/client-auth.md"],
    ["A2ASessionOptions", "src/session/session-options.ts", "docs/session.md"],
    ["SendMessageOptions", "src/session/session-options.ts", "docs/session.md"],
    ["GetTaskOptions", "src/session/session-options.ts", "docs/session.md"],
    ["A2AAgentsOptions", "src/session/a2a-agents.ts", "docs/session.md"],
    ["A2AToolsOptions", "src/session/tools/a2a-tools.ts", "docs/session.md"],
    ["LocalFileStoreOptions", "src/session/local-file-store.ts", "docs/session.md"],
    ["FetchFileOptions", "src/session/fetch-file.ts", "docs/session.md"],
    ["MinimizeArtifactsOptions", "src/session/minimize-artifacts.ts", "docs/session.md"],
    ["DataViewOptions", "src/session/data-view.ts", "docs/session.md"],
    ["TextViewOptions", "src/session/text-artifacts.ts", "docs/session.md"],
    ["FilePartOptions", "src/client/file-part.ts", "docs/client.md"],
    ["ReadFileOptions", "src/client/read-file.ts", "docs/client.md"],
    ["AgentDefinition", "src/server/agent-types.ts", "docs/server.md"],
    ["Ctx", "src/server/agent-types.ts", "docs/server.md"],
    ["ServerOptions", "src/server/server-options.ts", "docs/server.md"],
    ["GrpcServeOptions", "src/server/grpc-option.ts", "docs/grpc.md"],
    ["GrpcOptions", "src/grpc/grpc-client.ts", "docs/grpc.md"],
    ["ServerLimits", "src/server/server-options.ts", "docs/http.md"],
    ["PushOptions", "src/push/options.ts", "docs/push.md"],
    ["HttpLimits", "src/http/options.ts", "docs/http.md"],
    ["AuthOptions", "src/auth/types.ts", "docs/auth.md"],
    ["KeyOptions", "src/keys/types.ts", "docs/cards.md"],
    ["CorsOptions", "src/http/cors.ts", "docs/http.md"],
    ["HealthOptions", "src/http/health.ts", "docs/http.md"],
    ["IdempotencyOptions", "src/server/idempotency.ts", "docs/server.md"],
    ["TokenBucketOptions", "src/http/token-bucket.ts", "docs/http.md"],
    ["RedisBusOptions", "src/bus/redis-bus.ts", "docs/cluster.md"],
    ["PostgresBusOptions", "src/bus/postgres-bus.ts", "docs/cluster.md"],
    ["MemoryStoreOptions", "src/store/memory-store.ts", "docs/store.md"],
    ["CodegenOptions", "codegen/cli.ts", "docs/codegen.md"],
    ["ConvertOptions", "src/convert/convert.ts", "docs/convert.md"],
    ["ConversionOptions", "src/convert/types.ts", "docs/convert.md"],
    ["DecodeOptions", "src/interchange/decode.ts", "docs/codec.md"],
    ["EncodeOptions", "src/interchange/encode.ts", "docs/codec.md"],
    ["AgentCardOverrides", "src/interchange/encode-agent-card.ts", "docs/codec.md"],
    ["CodecTypes", "src/interchange/codec-types.ts", "docs/codec.md"],
    ["Wire", "src/interchange/wire-for.ts", "docs/wire.md"],
    ["EncodeParamsOptions", "src/interchange/wire-for.ts", "docs/wire.md"],
  ])("%s", (name, path, page) => {
    const members = membersOf(path, name);
    const text = read(page);
    expect(members).not.toEqual([]);
    const named = (member: string): boolean =>
      new RegExp(
        `\\b${member}\\b|--${member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}\\b`,
      ).test(text);
    expect(members.filter((member) => !named(member))).toEqual([]);
  });
});

it("docs name every problem that the reading of a card finds", () => {
  const folder = "src/client/card";
  const text = readdirSync(new URL(`../../${folder}`, import.meta.url))
    .map((file) => read(`${folder}/${file}`))
    .join("");
  const codes = [...text.matchAll(/"([a-z]+(?:_[a-z]+)+)"/g)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(20);
  const page = read("docs/client.md");
  expect([...new Set(codes)].filter((code) => !page.includes(`\`${code ?? ""}\``))).toEqual([]);
});
