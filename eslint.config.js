import { readFileSync } from "node:fs";
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const layers = JSON.parse(readFileSync(new URL("scripts/layers.json", import.meta.url), "utf8"));
const layerNames = Object.keys(layers.ranks);
const entryFiles = [
  ...[
    "index",
    "client",
    "server",
    "node",
    "fetch",
    "files",
    "express",
    "fastify",
    "hono",
    "testing",
    "convert",
    "codec",
    "wire",
    "webhook",
    "card",
    "session",
    "codegen-v1",
  ],
];

const generatedBan = {
  regex: "^(\\.\\./)+generated/",
  message: "Only src/versions/ imports generated code.",
};
const browserBan = {
  regex: `^(${layers.banned.map((name) => (name.endsWith(":") ? name : `${name}(/|$)`)).join("|")})`,
  message: "The core client must run in a browser: no node modules, zod, undici or jose here.",
};

/** Bans of one layer: everything above it, what it is kept apart from, entry points and everything that is no layer. */
const bansOf = (name) => {
  const rank = layers.ranks[name];
  const banned = layerNames.filter(
    (other) =>
      layers.ranks[other] > rank ||
      layers.apart.some((pair) => pair.includes(name) && pair.includes(other) && name !== other),
  );
  const bans = [
    {
      regex: `^(\\.\\./)+(${entryFiles.join("|")})\\.js$`,
      message: "Layers do not import entry points.",
    },
    {
      regex: "^(\\.\\./)+(cli|testing)/",
      message: "Layers do not import what is built on them.",
    },
  ];
  if (banned.length > 0) {
    bans.push({
      regex: `^(\\.\\./)+(${banned.join("|")})/`,
      message: `Layer rule: ${name} does not import ${banned.join(", ")} (adapter → http → binding → server|client → task → store|bus).`,
    });
  }
  return name === "versions" ? bans : [...bans, generatedBan];
};

const restrict = (patterns) => ({ "no-restricted-imports": ["error", { patterns }] });
const isBrowser = (name) => ["codec", "sse", "client"].includes(name);

const layerConfigs = layerNames.map((name) => ({
  files: [`src/${name}/**/*.ts`],
  ignores: layers.compositions,
  rules: restrict(isBrowser(name) ? [...bansOf(name), browserBan] : bansOf(name)),
}));

export default defineConfig(
  {
    ignores: [
      "**/node_modules/**",
      "dist/**",
      "coverage/**",
      ".cache/**",
      "generated/**/validators.js",
      "generated/**/validators.d.ts",
      "generated/runtime.js",
      "bench/results/**",
      "test/**/fixtures/**",
      "test/package/consumer/*.ts",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      // Under verbatimModuleSyntax `import { type A }` still loads the module at run time.
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/consistent-type-exports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      // Handlers and interceptors are async by contract, whether or not they await.
      "@typescript-eslint/require-await": "off",
      // `void` is part of unions that say "may return nothing".
      "@typescript-eslint/no-invalid-void-type": "off",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      // A type parameter used once still names the value at the call site.
      "@typescript-eslint/no-unnecessary-type-parameters": "off",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "no-restricted-exports": [
        "error",
        {
          restrictDefaultExports: {
            direct: true,
            named: true,
            defaultFrom: true,
            namedFrom: true,
            namespaceFrom: true,
          },
        },
      ],
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: "ExportAllDeclaration", message: "Name what is exported." },
        { selector: "TSEnumDeclaration", message: "Use a const object and a union type." },
      ],
      ...restrict([generatedBan]),
    },
  },
  ...layerConfigs,
  {
    files: layers.browserBindings,
    rules: restrict([...bansOf("binding"), browserBan]),
  },
  {
    files: ["src/*.ts"],
    ignores: layers.nodeEntries,
    rules: restrict([generatedBan, browserBan]),
  },
  {
    files: ["generated/**/*.ts"],
    rules: {
      "@typescript-eslint/no-redundant-type-constituents": "off",
      "@typescript-eslint/consistent-indexed-object-style": "off",
      "@typescript-eslint/no-unnecessary-condition": "off",
    },
  },
  {
    files: ["generated/**/*.ts"],
    ignores: ["generated/**/zod.ts"],
    rules: restrict([
      {
        regex: "^(?!\\./|\\.\\./runtime\\.js$|(\\.\\./)+src/descriptor\\.js$)",
        message: "Generated code imports its own folder, runtime.js and types of src/descriptor only.",
      },
    ]),
  },
  {
    files: ["generated/**/proto/*.ts"],
    rules: restrict([
      {
        regex: "^(?!\\./|\\.\\./errors\\.js$|(\\.\\./)+src/(descriptor|binding/form-rest-client)\\.js$)",
        message: "A form imports the folder of its version, types of src/descriptor, and its own client.",
      },
    ]),
  },
  {
    files: ["test/**/*.ts", "bench/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/no-unsafe-type-assertion": "off",
      "@typescript-eslint/no-empty-function": "off",
      "@typescript-eslint/no-unnecessary-condition": "off",
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/only-throw-error": "off",
    },
  },
  {
    files: ["*.config.ts", "*.config.js"],
    rules: { "no-restricted-exports": "off" },
  },
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: { globals: { console: "readonly", process: "readonly", URL: "readonly" } },
  },
);
