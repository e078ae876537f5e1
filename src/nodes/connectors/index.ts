import { connectorNode, type ConnectorNode, type ConnectorUse } from "./connector-node.ts";
import { type Connector, type Operation, readConnector } from "./connector.ts";
import slack from "./presets/slack.json" with { type: "json" };
import discord from "./presets/discord.json" with { type: "json" };
import telegram from "./presets/telegram.json" with { type: "json" };
import whatsapp from "./presets/whatsapp.json" with { type: "json" };
import gmail from "./presets/gmail.json" with { type: "json" };
import googleCalendar from "./presets/google-calendar.json" with { type: "json" };
import googleDrive from "./presets/google-drive.json" with { type: "json" };
import googleSheets from "./presets/google-sheets.json" with { type: "json" };
import outlook from "./presets/outlook.json" with { type: "json" };
import sendgrid from "./presets/sendgrid.json" with { type: "json" };
import notion from "./presets/notion.json" with { type: "json" };
import airtable from "./presets/airtable.json" with { type: "json" };
import supabase from "./presets/supabase.json" with { type: "json" };
import github from "./presets/github.json" with { type: "json" };
import jira from "./presets/jira.json" with { type: "json" };
import linear from "./presets/linear.json" with { type: "json" };
import hubspot from "./presets/hubspot.json" with { type: "json" };
import stripe from "./presets/stripe.json" with { type: "json" };
import braveSearch from "./presets/brave-search.json" with { type: "json" };
import tavily from "./presets/tavily.json" with { type: "json" };
import serpapi from "./presets/serpapi.json" with { type: "json" };
import jinaReader from "./presets/jina-reader.json" with { type: "json" };

/**
 * Every connector, in the order in which they are shown. A new one is a file in `presets/` and a line here. Large: load it only
 * where connectors are shown.
 */
export const connectors: readonly Connector[] = Object.entries({
  slack,
  discord,
  telegram,
  whatsapp,
  gmail,
  "google-calendar": googleCalendar,
  "google-drive": googleDrive,
  "google-sheets": googleSheets,
  outlook,
  sendgrid,
  notion,
  airtable,
  supabase,
  github,
  jira,
  linear,
  hubspot,
  stripe,
  "brave-search": braveSearch,
  tavily,
  serpapi,
  "jina-reader": jinaReader,
}).map(([file, value]) => readConnector(`${file}.json`, value));

/** One operation of a service, as it can be added to a workflow. */
export interface ConnectorChoice {
  /** `service/operation`. */
  id: string;
  connector: Connector;
  operation: Operation;
  /** What else finds it, besides its title. */
  beside: readonly string[];
  make(use: ConnectorUse): ConnectorNode;
}

/** Every operation of every service. */
export const connectorChoices: readonly ConnectorChoice[] = connectors.flatMap((connector) =>
  connector.operations.map((operation) => ({
    id: `${connector.id}/${operation.id}`,
    connector,
    operation,
    beside: [operation.summary, ...connector.keywords, "connector service"],
    make: (use) => connectorNode(connector, operation, use),
  })),
);
