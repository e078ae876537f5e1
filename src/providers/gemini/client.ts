import type { ProviderContext } from "../../engine/model/provider.ts";
import { vendorSender, type VendorSender } from "../wire/vendor-sender.ts";

/** Sends requests to Gemini. */
export function geminiSender(context: ProviderContext): VendorSender {
  return vendorSender("gemini", context);
}

/** A model's place in the API. Names are taken with their kind (`models/…`, `tunedModels/…`) or without. */
export function modelPath(model: string): string {
  return `/v1beta/${modelName(model).split("/").map(encodeURIComponent).join("/")}`;
}

/** A model's full name. */
export function modelName(model: string): string {
  return /^(models|tunedModels)\//.test(model) ? model : `models/${model}`;
}
