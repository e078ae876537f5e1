/** Who may import whom. `npm test` fails on the first arrow that is not allowed. */
const test = "(\\.test\\.tsx?$|^(supabase/functions/[^/]+|worker)/testing/)";

/** State of the studio, without what stores it. */
const state = "^src/state/(?!.*/storage/)";

/** Files in `from` may import nothing of `src` and `supabase` outside `to`. */
const only = (name, from, to) => ({
  name,
  severity: "error",
  from: { path: from, pathNot: test },
  to: { path: "^(src|supabase|cli|scripts|e2e|bench|corpora|worker)/", pathNot: to },
});

/** Packages that files in `from` may use. */
const packages = (name, from, allowed) => ({
  name,
  severity: "error",
  from: { path: from, pathNot: test },
  to: { dependencyTypes: ["npm", "npm-dev", "npm-optional", "npm-peer", "core"], pathNot: allowed },
});

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    only("engine-stands-alone", "^src/engine/", "^src/engine/"),
    packages(
      "engine-packages",
      "^src/(engine|doors|import|export)/",
      "node_modules/(zod|@marcbachmann/cel-js|@cfworker/json-schema|json-custom-numbers|@noble/hashes|acorn|@sveltejs/acorn-typescript|yaml)/",
    ),
    only("nodes-use-engine", "^src/nodes/", "^src/(engine|doors|nodes|providers)/"),
    // What doors give and take, apart from the functions that serve them.
    only("doors-use-engine", "^src/doors/", "^src/(engine|doors)/"),
    only("import-uses-engine", "^src/import/", "^src/(engine|import)/"),
    only("export-uses-engine", "^src/export/", "^src/(engine|export)/"),
    only("evaluation-uses-the-core", "^src/evaluation/", "^src/(engine|providers|evaluation)/"),
    // What files say and how they are made, apart from who asks.
    only("documents-use-engine", "^src/documents/", "^src/(engine|host/thread|documents)/"),
    only("providers-use-engine", "^src/providers/", "^src/(engine|providers)/"),
    only("services-are-contracts", "^src/services/", "^src/(engine|evaluation|services)/"),
    // State ends at the contracts of `services`; what fulfils them with the backend stands in a subject's `storage/`.
    only(
      "state-ends-at-the-contracts",
      "^src/state/(?!.*/storage/)",
      `^src/(engine|evaluation|nodes|providers|services)/|${state}`,
    ),
    only(
      "storage-fulfils-the-contracts",
      "^src/state/.*/storage/",
      "^src/(documents|engine|evaluation|services|host/thread)/|^src/state/.*/storage/",
    ),
    only("host-runs-workflows", "^src/host/", "^src/(documents|engine|services|host)/|^src/state/.*/storage/"),
    only("forms-use-engine-and-ui", "^src/forms/", "^src/(engine|ui|forms)/"),
    only("ui-stands-alone", "^src/ui/", "^src/(ui/|engine/(lossless-json\\.ts|text/))"),
    only(
      "features-stay-apart",
      "^src/features/([^/]+)/",
      `^src/(engine|doors|import|evaluation|nodes|providers|services|forms|ui|features/$1)/|${state}`,
    ),
    // Strangers open it: it shares neither state nor storage with the studio.
    only("chat-page-stands-apart", "^src/chat-page/", "^src/(chat-page|ui|doors)/"),
    // Strangers see it, so nothing of it may speak for an account.
    only(
      "shared-runs-only-show",
      "^src/(shared-run|share-page)/",
      `^src/(engine|doors|services|ui|nodes/flow|features/(canvas|replay|results)|shared-run|share-page)/|${state}`,
    ),
    {
      name: "share-page-is-no-part-of-the-studio",
      severity: "error",
      from: { path: "^(src|supabase|worker)/", pathNot: "^src/share-page/" },
      to: { path: "^src/share-page/" },
    },
    only("widget-stands-alone", "^src/widget/", "^src/(widget|doors/(chat-frame|accent-colours)\\.ts)"),
    {
      name: "chat-page-has-no-storage",
      severity: "error",
      from: { path: "^src/chat-page/" },
      to: { path: "^src/ui/theme/theme\\.ts$", reachable: true },
    },
    {
      name: "chat-page-is-no-part-of-the-studio",
      severity: "error",
      from: { path: "^(src|supabase|worker)/", pathNot: "^src/chat-page/" },
      to: { path: "^src/chat-page/" },
    },
    only(
      "workers-use-the-core",
      "^worker/",
      "^(src/(documents|engine|doors|nodes|providers|host)/|src/state/.*/storage/|src/state/run/(spending-by-model|storable-events)\\.ts|worker/)",
    ),
    only("functions-use-the-core", "^supabase/functions/", "^(src/(engine|doors|nodes|providers)|supabase/functions)/"),
    {
      name: "product-without-testing",
      severity: "error",
      from: {
        path: "^(src|supabase|worker|cli)/",
        pathNot: "(\\.test\\.tsx?$|/testing/|^src/providers/[^/]+/recordings/)",
      },
      to: { path: "/testing/" },
    },
    {
      name: "no-orphan-packages",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(npm|jsr):|\\?url$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.app.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "browser", "node", "default", "types"],
    },
  },
};
