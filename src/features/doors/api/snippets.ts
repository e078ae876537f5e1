import { isJsonObject, type Json, type JsonSchema } from "../../../engine/json.ts";
import type { Snippet } from "../program-tabs.tsx";

/** What programs are written with: full addresses, and an input that the workflow takes. */
interface Used {
  runUrl: string;
  /** What OpenAI's clients call the base URL. */
  openAiUrl: string;
  slug: string;
  input: Json;
  takesMessages: boolean;
}

/** An input that fits what a trigger takes. */
export function exampleOf(schema: JsonSchema): Json {
  const [example] = Array.isArray(schema.examples) ? schema.examples : [];
  if (example !== undefined) return example;
  return isJsonObject(schema.properties) && "message" in schema.properties ? { message: "Hello" } : {};
}

/** Programs in the languages that most people use. The key comes from the environment. */
export function snippetsOf({ runUrl, openAiUrl, slug, input, takesMessages }: Used): Snippet[] {
  const json = JSON.stringify(input);
  const run: Snippet[] = [
    {
      value: "curl",
      title: "curl",
      text: `curl ${runUrl} \\
  -H "Authorization: Bearer $SWITCHYARD_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${json.replaceAll("'", String.raw`'\''`)}'
`,
    },
    {
      value: "typescript",
      title: "TypeScript",
      text: `const response = await fetch(${JSON.stringify(runUrl)}, {
  method: "POST",
  headers: {
    Authorization: \`Bearer \${process.env.SWITCHYARD_API_KEY}\`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify(${JSON.stringify(input, null, 2).replaceAll("\n", "\n  ")}),
});
const run = await response.json();
if (!response.ok) throw new Error(run.error?.message ?? run.detail);
console.log(run.output);
`,
    },
    {
      value: "python",
      title: "Python",
      text: `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(runUrl)},
    data=json.dumps(json.loads(${JSON.stringify(json)})).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['SWITCHYARD_API_KEY']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["output"])
`,
    },
  ];
  if (!takesMessages) return run;
  return [
    ...run,
    {
      value: "openai",
      title: "OpenAI client",
      text: `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(openAiUrl)},
  apiKey: process.env.SWITCHYARD_API_KEY,
});
const stream = await client.chat.completions.create({
  model: ${JSON.stringify(slug)},
  messages: [{ role: "user", content: "Hello" }],
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? "");
`,
    },
  ];
}
