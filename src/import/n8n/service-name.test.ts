import { expect, test } from "vitest";
import { serviceName } from "./service-name.ts";

test("a service is called as it writes itself, not by the name of its type", () => {
  expect(["slack", "googleSheets", "microsoftOutlook", "whatsApp", "github", "openai"].map(serviceName)).toEqual([
    "Slack",
    "Google Sheets",
    "Microsoft Outlook",
    "WhatsApp",
    "GitHub",
    "OpenAI",
  ]);
});
