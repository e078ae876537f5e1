import { readStudioKeys } from "./studio-keys.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a worker shows the API, and the text of the key with which it signs. */
export interface WorkerKeys {
  publishableKey: string;
  signingKey: string;
}

/** What the functions beside a worker are given and the worker is not. */
export interface FunctionKeys {
  secretKey: string;
  /** JSON: keys of 32 bytes in base64 by version. */
  credentialsKeys: string;
  credentialsKeyVersion: string;
}

/** The keys of a worker; beside a studio they may come from its file, and what is named by itself counts more. */
export async function readWorkerKeys(environment: Environment): Promise<WorkerKeys> {
  const keys = await keysFile(environment);
  const publishableKey =
    environment["SUPABASE_PUBLISHABLE_KEY"] || environment["SUPABASE_ANON_KEY"] || keys?.publishableKey;
  const signingKey = environment["SUPABASE_JWT_KEY"] || environment["SUPABASE_JWT_SECRET"] || keys?.jwtSecret;
  return {
    publishableKey: publishableKey || missing("SUPABASE_PUBLISHABLE_KEY"),
    signingKey: signingKey || missing("SUPABASE_JWT_SECRET"),
  };
}

/** The keys of the functions, from the same places. */
export async function readFunctionKeys(environment: Environment): Promise<FunctionKeys> {
  const keys = await keysFile(environment);
  const secretKey = environment["SUPABASE_SECRET_KEY"] || environment["SUPABASE_SERVICE_ROLE_KEY"] || keys?.secretKey;
  const ofFile = keys?.credentialsKeys && JSON.stringify(keys.credentialsKeys);
  const versionOfFile = keys?.credentialsKeyVersion === undefined ? undefined : String(keys.credentialsKeyVersion);
  return {
    secretKey: secretKey || missingOfFunctions("SUPABASE_SECRET_KEY"),
    credentialsKeys: environment["CREDENTIALS_KEYS"] || ofFile || missingOfFunctions("CREDENTIALS_KEYS"),
    credentialsKeyVersion:
      environment["CREDENTIALS_KEY_VERSION"] || versionOfFile || missingOfFunctions("CREDENTIALS_KEY_VERSION"),
  };
}

const keysFile = ({ STUDIO_KEYS_FILE: file }: Environment) => (file ? readStudioKeys(file) : undefined);

/** Fails for a variable without which no worker works. */
export function missing(name: string): never {
  const embedded =
    name === "DATABASE_URL"
      ? " A studio on its embedded database runs workers by itself: npm start -- --workers 2."
      : "";
  throw new Error(
    `${name} is not set. A worker needs DATABASE_URL, SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, and SUPABASE_JWT_KEY or SUPABASE_JWT_SECRET; beside a studio, STUDIO_KEYS_FILE with its keys.json has both keys.${embedded}`,
  );
}

function missingOfFunctions(name: string): never {
  throw new Error(
    `${name} is not set. With FUNCTIONS_DATABASE_URL a worker brings its own functions, which need SUPABASE_SECRET_KEY, CREDENTIALS_KEYS and CREDENTIALS_KEY_VERSION; beside a studio, STUDIO_KEYS_FILE with its keys.json has all three.`,
  );
}
