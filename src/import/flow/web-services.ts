import type { JsonObject } from "../../engine/json.ts";
import { lookup } from "../lookup.ts";

/** A service of the web that several builders have as a tool, as a request to its API. */
interface WebService {
  /** Found in the other builder's name of the tool. */
  match: RegExp;
  says: string;
  method: "GET" | "POST";
  url: string;
  query?: JsonObject;
  headers?: JsonObject;
  body?: JsonObject;
  /** The parameters that it takes, with the other builders' names of each. */
  takes: Readonly<Record<string, { words: string; names: readonly string[] }>>;
  needs?: string;
}

const asks = { query: { words: "what to look for", names: ["query", "q", "search", "keyword", "input", "question"] } };
const page = { url: { words: "the address of the page", names: ["url", "link", "website_url", "input"] } };

/** In an address, a query or a body, `<name>` stands for a parameter. */
const services: readonly WebService[] = [
  {
    match: /tavily.*extract/i,
    says: "Reads a page of the web.",
    method: "POST",
    url: "https://api.tavily.com/extract",
    body: { urls: "<url>" },
    takes: page,
    needs: "a Tavily key (bearer token)",
  },
  {
    match: /tavily/i,
    says: "Searches the web.",
    method: "POST",
    url: "https://api.tavily.com/search",
    body: { query: "<query>", max_results: 5 },
    takes: asks,
    needs: "a Tavily key (bearer token)",
  },
  {
    match: /^SearchComponent$|search.?api.?io/i,
    says: "Searches the web.",
    method: "GET",
    url: "https://www.searchapi.io/api/v1/search",
    query: { engine: "google", q: "<query>" },
    takes: asks,
    needs: "a SearchApi key (bearer token)",
  },
  {
    match: /scrape.?graph.*search/i,
    says: "Searches the web and reads what it finds.",
    method: "POST",
    url: "https://api.scrapegraphai.com/v1/searchscraper",
    body: { user_prompt: "<query>" },
    takes: asks,
    needs: "a ScrapeGraphAI key (header SGAI-APIKEY)",
  },
  {
    match: /agent.?ql/i,
    says: "Reads data from a page of the web as described.",
    method: "POST",
    url: "https://api.agentql.com/v1/query-data",
    body: { url: "<url>", prompt: "<query>" },
    takes: { ...page, query: { words: "which data to read from the page", names: ["prompt", "query"] } },
    needs: "an AgentQL key (header X-API-Key)",
  },
  {
    match: /serp.?api|google.?search|^google$|serper|googleCustomSearch|bing/i,
    says: "Searches the web.",
    method: "GET",
    url: "https://serpapi.com/search.json",
    query: { engine: "google", q: "<query>" },
    takes: asks,
    needs: "a SerpApi key (API key, sent in the query as api_key)",
  },
  {
    match: /brave/i,
    says: "Searches the web.",
    method: "GET",
    url: "https://api.search.brave.com/res/v1/web/search",
    query: { q: "<query>" },
    takes: asks,
    needs: "a Brave Search key (header X-Subscription-Token)",
  },
  {
    match: /exa.?search|(^|[/_])exa/i,
    says: "Searches the web.",
    method: "POST",
    url: "https://api.exa.ai/search",
    body: { query: "<query>", numResults: 5, contents: { text: true } },
    takes: asks,
    needs: "an Exa key (header x-api-key)",
  },
  {
    match: /duckduckgo|ddgo(?!_translate)/i,
    says: "Looks something up on DuckDuckGo.",
    method: "GET",
    url: "https://api.duckduckgo.com/",
    query: { q: "<query>", format: "json", no_html: "1" },
    takes: asks,
  },
  {
    match: /searx/i,
    says: "Searches the web.",
    method: "GET",
    url: "https://searx.example.com/search",
    query: { q: "<query>", format: "json" },
    takes: asks,
    needs: "the address of your SearXNG server",
  },
  {
    match: /wikipedia/i,
    says: "Searches Wikipedia.",
    method: "GET",
    url: "https://en.wikipedia.org/w/api.php",
    query: { action: "query", list: "search", format: "json", srlimit: "5", srsearch: "<query>" },
    takes: asks,
  },
  {
    match: /arxiv/i,
    says: "Searches papers on arXiv.",
    method: "GET",
    url: "https://export.arxiv.org/api/query",
    query: { search_query: "<query>", max_results: "5" },
    takes: asks,
  },
  {
    match: /wolfram/i,
    says: "Answers questions of mathematics and science.",
    method: "GET",
    url: "https://www.wolframalpha.com/api/v1/llm-api",
    query: { input: "<query>" },
    takes: asks,
    needs: "a Wolfram|Alpha key (API key, sent in the query as appid)",
  },
  {
    match: /jina.*search/i,
    says: "Searches the web and reads what it finds.",
    method: "GET",
    url: "https://s.jina.ai/",
    query: { q: "<query>" },
    takes: asks,
    needs: "a Jina key (bearer token)",
  },
  {
    match: /jina/i,
    says: "Reads a page of the web as text.",
    method: "POST",
    url: "https://r.jina.ai/",
    body: { url: "<url>" },
    takes: page,
    needs: "a Jina key (bearer token)",
  },
  {
    match: /firecrawl/i,
    says: "Reads a page of the web as text.",
    method: "POST",
    url: "https://api.firecrawl.dev/v1/scrape",
    body: { url: "<url>", formats: ["markdown"] },
    takes: page,
    needs: "a Firecrawl key (bearer token)",
  },
  {
    match: /spider/i,
    says: "Reads a page of the web as text.",
    method: "POST",
    url: "https://api.spider.cloud/crawl",
    body: { url: "<url>", limit: 1, return_format: "markdown" },
    takes: page,
    needs: "a Spider key (bearer token)",
  },
  {
    match: /web.?scraper|web.?browser|url.?reader|webpage|^URLComponent|^APIRequest|requests?.?get/i,
    says: "Reads a page of the web.",
    method: "GET",
    url: "<url>",
    takes: page,
  },
  {
    match: /dall.?e|image.?gen/i,
    says: "Draws a picture and gives its address.",
    method: "POST",
    url: "https://api.openai.com/v1/images/generations",
    body: { model: "gpt-image-1", prompt: "<prompt>" },
    takes: { prompt: { words: "what the picture shows", names: ["prompt", "query", "input"] } },
    needs: "an OpenAI key (bearer token)",
  },
  {
    match: /yahoo.?finance|yfinance|ticker/i,
    says: "Tells the price of a share.",
    method: "GET",
    url: "https://query1.finance.yahoo.com/v8/finance/chart/<symbol>",
    takes: { symbol: { words: "the share's symbol, such as AAPL", names: ["symbol", "ticker", "query"] } },
  },
];

/** The settings of a request for a service that is known, `ask` giving the template of each parameter. */
export function webService(
  name: string,
  ask: (parameter: string, words: string, names: readonly string[]) => string,
): { config: JsonObject; says: string; needs?: string } | undefined {
  const service = services.find(({ match }) => match.test(name));
  if (!service) return undefined;
  const filled = (text: string) =>
    text.replace(/<(\w+)>/g, (_, parameter: string) => {
      const { words = parameter, names = [parameter] } = lookup(service.takes, parameter) ?? {};
      return ask(parameter, words, names);
    });
  const all = (given: JsonObject = {}): JsonObject =>
    Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, typeof value === "string" ? filled(value) : value]),
    );
  return {
    config: {
      method: service.method,
      url: filled(service.url),
      query: all(service.query),
      headers: all(service.headers),
      ...(service.body ? { body: all(service.body) } : {}),
    },
    says: service.says,
    ...(service.needs === undefined ? {} : { needs: service.needs }),
  };
}

/** Whether a request to this address changes nothing, whatever its method: a known service that searches or reads pages. */
export const onlyReads = (url: unknown): boolean => services.some((service) => service.url === url);

/** Asks the model for the parameter. */
export const byModel = (parameter: string, words: string): string =>
  `{{ai(${JSON.stringify(parameter)}, ${JSON.stringify(words)}, "string")}}`;
