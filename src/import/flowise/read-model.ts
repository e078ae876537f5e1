import type { Json, JsonObject } from "../../engine/json.ts";
import type { Service } from "../flow/made.ts";
import { modelService } from "../flow/models.ts";
import { objectOf, textOf } from "./read-flowise.ts";

/** The model of a node's inputs: Flowise names the vendor by the model's type, such as chatOpenAI. */
export function modelOf(type: string, inputs: JsonObject): { service: Service; note: string } {
  const model =
    textOf(inputs.customModelName) ||
    textOf(inputs.modelName) ||
    textOf(inputs.model) ||
    textOf(inputs.azureOpenAIApiDeploymentName) ||
    textOf(inputs.deploymentName);
  const address = textOf(inputs.basepath) || textOf(inputs.baseUrl);
  const made = modelService({ vendor: type, model, parameters: inputs });
  if (address === "" || made.service.type !== "openai-model") return made;
  const { title = "model", config } = made.service;
  return {
    service: { ...made.service, title, type: "openai-compatible-model", config: { preset: "custom", ...config } },
    note: `The address ${address} belongs in the credential.`,
  };
}

/** The model that an agentflow's node holds in its own settings. */
export function innerModel(inputs: JsonObject, prefix: string): { service: Service; note: string } {
  const config: Json | undefined = inputs[`${prefix}ModelConfig`];
  return modelOf(textOf(inputs[`${prefix}Model`], "chatOpenAI"), objectOf(config));
}
