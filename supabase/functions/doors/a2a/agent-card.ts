import type { AgentCard } from "@a2a-js/sdk";
import type { RunnableVersion } from "../run/publication.ts";

const text = "text/plain";

/** What a workflow takes any file as; the first are those that agents look for. */
const fileTypes = ["image/png", "image/jpeg", "application/pdf", "audio/mpeg", "audio/wav", "application/octet-stream"];

/** How other agents find and reach a published workflow. `url`: where its messages are posted. */
export function agentCardOf(
  { door, version, interface: { takesFiles } }: Pick<RunnableVersion, "door" | "version" | "interface">,
  url: string,
): AgentCard {
  const description = `Answers messages by the workflow "${door.name}".`;
  const inputModes = takesFiles ? [text, ...fileTypes] : [text];
  const reached = (protocolVersion: string) => ({ url, protocolBinding: "JSONRPC", tenant: "", protocolVersion });
  return {
    name: door.name,
    description,
    supportedInterfaces: [reached("1.0"), reached("0.3")],
    provider: undefined,
    version: String(version),
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {
      apiKey: {
        scheme: {
          $case: "httpAuthSecurityScheme",
          value: { description: "An API key that may run the workflow.", scheme: "Bearer", bearerFormat: "" },
        },
      },
    },
    securityRequirements: [{ schemes: { apiKey: { list: [] } } }],
    defaultInputModes: inputModes,
    defaultOutputModes: [text],
    skills: [
      {
        id: door.slug,
        name: door.name,
        description,
        tags: ["workflow"],
        examples: [],
        inputModes,
        outputModes: [text],
        securityRequirements: [],
      },
    ],
    signatures: [],
  };
}
