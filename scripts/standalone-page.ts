import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build, type BuildEnvironmentOptions } from "vite";

const projectRoot = fileURLToPath(new URL("..", import.meta.url));

interface StandaloneFile {
  fileName: string;
  source: string | Uint8Array;
  isScript: boolean;
}

/**
 * Builds a page of the site apart from the studio, with which it shares no file: `html` in the project's root, and its files under
 * `assetsDir`. The page carries `policy`, its content security policy.
 */
export async function buildStandalonePage(
  html: string,
  { assetsDir, policy, ...options }: { assetsDir: string; policy: string } & BuildEnvironmentOptions,
): Promise<StandaloneFile[]> {
  const built = await build({
    configFile: false,
    root: projectRoot,
    logLevel: "warn",
    publicDir: false,
    plugins: [react(), tailwindcss()],
    build: {
      ...options,
      target: "es2023",
      write: false,
      assetsDir,
      assetsInlineLimit: 0,
      rolldownOptions: {
        ...options.rolldownOptions,
        input: `${projectRoot}${html}`,
        checks: { bundlerTimings: false },
      },
    },
  });
  const outputs = [built].flat().filter((one) => "output" in one);
  return outputs.flatMap(({ output }) =>
    output.map((file) => {
      const isScript = file.type === "chunk";
      const source = isScript ? file.code : file.source;
      const page = file.fileName.endsWith(".html") ? withPolicy(String(source), policy) : source;
      return { fileName: file.fileName, source: page, isScript };
    }),
  );
}

/** Before anything that the policy governs. */
function withPolicy(html: string, policy: string): string {
  return html.replace(
    /(<meta charset[^>]*>)/i,
    `$1\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  );
}
