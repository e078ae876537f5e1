import { CommandFailure } from "../headless/command-failure.ts";

/** A studio elsewhere, and the key that opens it. */
export interface RemoteStudio {
  /** Without a slash at the end. */
  url: string;
  apiKey: string;
}

/** The studio at an address, with the key of the environment. Throws CommandFailure with exit code 2. */
export function remoteStudio(url: string, environment: NodeJS.ProcessEnv): RemoteStudio {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new CommandFailure(`${url} is no address.`, "Write it as https://studio.example.com.", 2);
  }
  const apiKey = environment["SWITCHYARD_API_KEY"];
  if (apiKey === undefined || apiKey === "") {
    const hint =
      "Create a key under Settings → API keys, and set it in the environment, where process lists do not show it.";
    throw new CommandFailure("SWITCHYARD_API_KEY is not set.", hint, 2);
  }
  return { url: url.replace(/\/+$/, ""), apiKey };
}
