/** Names that are not their type's words with a capital letter each. */
const spelled: Readonly<Record<string, string>> = {
  clickUp: "ClickUp",
  coinGecko: "CoinGecko",
  deepL: "DeepL",
  elevenLabs: "ElevenLabs",
  emailSend: "a mail service",
  facebookGraphApi: "Facebook",
  github: "GitHub",
  gitlab: "GitLab",
  googleBigQuery: "Google BigQuery",
  graphql: "a GraphQL server",
  hubspot: "HubSpot",
  jinaAi: "Jina AI",
  linkedIn: "LinkedIn",
  microsoftOneDrive: "Microsoft OneDrive",
  mondayCom: "monday.com",
  n8n: "n8n",
  nasa: "NASA",
  nocoDb: "NocoDB",
  openai: "OpenAI",
  openWeatherMap: "OpenWeatherMap",
  rssFeedRead: "the feed's server",
  sendGrid: "SendGrid",
  serpApi: "SerpApi",
  twitter: "X (Twitter)",
  whatsApp: "WhatsApp",
  wooCommerce: "WooCommerce",
  wordpress: "WordPress",
  youTube: "YouTube",
};

/** How a service is called in words: `googleSheets` is "Google Sheets". */
export function serviceName(type: string): string {
  if (Object.hasOwn(spelled, type)) return spelled[type] ?? type;
  const words = type.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
