import type { JsonObject } from "../../engine/json.ts";
import { anthropicProvider } from "../anthropic.ts";
import { replayHost, type Cut, type Recording } from "./replay.ts";

/** A Claude model over a recorded answer, and what it sends. */
export function anthropicOver(recording: Recording, settings: JsonObject = {}, cut: Cut = "single-bytes") {
  const { host, sent } = replayHost(recording, cut);
  const { model: name = "claude-sonnet-5-5", ...config } = settings;
  const model = anthropicProvider.create(
    { ...anthropicProvider.config.parse(config), model: String(name) },
    { host, credential: "credential-1", nodeId: "model" },
  );
  return { model, sent };
}
