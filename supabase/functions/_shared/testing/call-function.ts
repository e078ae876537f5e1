/** A running stack: its origin and its publishable key. */
interface RunningStack {
  url: string;
  key: string;
}

export interface FunctionAnswer {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

/** Posts JSON to a function of a running stack, as the site does, and reads the whole answer. */
export async function callFunction(
  stack: RunningStack,
  name: string,
  token: string | null,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<FunctionAnswer> {
  const response = await fetch(`${stack.url}/functions/v1/${name}`, {
    method: "POST",
    headers: { apikey: stack.key, ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parseObject(text) };
}

/** Saves a credential and answers its id. */
export async function saveTestCredential(
  stack: RunningStack,
  token: string,
  draft: Record<string, unknown>,
): Promise<string> {
  const answer = await callFunction(stack, "credentials", token, { action: "save", name: "Test", ...draft });
  if (answer.status !== 200) throw new Error(answer.text);
  return String(answer.json["id"]);
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
