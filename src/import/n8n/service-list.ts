import { airtable } from "./apps/airtable.ts";
import { type AppMapper, cel, given, inAddress, present } from "./apps/request.ts";
import { discord } from "./apps/discord.ts";
import { facebookGraphApi, linkedIn, whatsApp } from "./apps/meta.ts";
import { gmail } from "./apps/gmail.ts";
import { googleCalendar } from "./apps/google-calendar.ts";
import { googleDrive } from "./apps/google-drive.ts";
import { googleSheets } from "./apps/google-sheets.ts";
import { googleDocs } from "./apps/google-docs.ts";
import { hubspot } from "./apps/hubspot.ts";
import { jira } from "./apps/jira.ts";
import { emailSend } from "./apps/mail.ts";
import { geminiApi, openAiApi } from "./apps/openai.ts";
import { microsoftOutlook } from "./apps/outlook.ts";
import {
  apify,
  mailchimp,
  pipedrive,
  salesforce,
  shopify,
  stripe,
  twilio,
  wooCommerce,
  zendesk,
} from "./apps/sales-apps.ts";
import { baserow, github, graphql, microsoftTeams, mondayCom, nocoDb, sendGrid, wordpress } from "./apps/web-apps.ts";
import {
  asana,
  clickUp,
  googleAnalytics,
  googleTasks,
  mattermost,
  microsoftOneDrive,
  microsoftToDo,
  n8n,
  todoist,
  youTube,
} from "./apps/work-apps.ts";
import { notion } from "./apps/notion.ts";
import { slack } from "./apps/slack.ts";
import { supabase } from "./apps/supabase.ts";
import { telegram } from "./apps/telegram.ts";
import type { Service } from "./services.ts";

const google = "a Google access token (HTTP bearer)";
const bearer = (name: string) => `a token of ${name} (HTTP bearer)`;

/** Spotify's things by their id, which n8n also takes as `spotify:track:…` (developer.spotify.com/documentation/web-api). */
const spotifyThing =
  (method: "GET" | "POST" | "DELETE", kind: string, rest = ""): AppMapper =>
  (work) => {
    const value = work.at("id");
    const id = work.isExpression(value)
      ? `{{replacePattern(text(${cel(work, value)}), "^.*[:/]", "")}}`
      : inAddress(work.textOf(value).replace(/^.*[:/]/, ""));
    const track = given(work, "trackID");
    const isList = rest !== "" && method === "GET";
    return {
      method,
      path: `/${kind}/${id}${rest}`,
      ...(isList
        ? {
            query: { limit: work.flag("returnAll") ? 50 : (given(work, "limit") ?? 50) },
            paging: { parameter: "", next: "next", items: "items", all: work.flag("returnAll") },
          }
        : {}),
      ...(method === "POST"
        ? { body: present({ uris: [track ?? ""], position: given(work, "additionalFields", "position") }) }
        : {}),
      ...(method === "DELETE" ? { body: { tracks: [{ uri: track ?? "" }] } } : {}),
    };
  };

const spotifyById = {
  "playlist.get": spotifyThing("GET", "playlists"),
  "playlist.getTracks": spotifyThing("GET", "playlists", "/tracks"),
  "playlist.add": spotifyThing("POST", "playlists", "/tracks"),
  "playlist.delete": spotifyThing("DELETE", "playlists", "/tracks"),
  "track.get": spotifyThing("GET", "tracks"),
  "track.getAudioFeatures": spotifyThing("GET", "audio-features"),
  "album.get": spotifyThing("GET", "albums"),
  "album.getTracks": spotifyThing("GET", "albums", "/tracks"),
  "artist.get": spotifyThing("GET", "artists"),
  "artist.getAlbums": spotifyThing("GET", "artists", "/albums"),
};

/** Services by n8n's name of their node. */
export const services: Readonly<Record<string, Service>> = {
  airtable,
  discord,
  facebookGraphApi,
  gmail,
  apify,
  mailchimp,
  pipedrive,
  salesforce,
  shopify,
  stripe,
  twilio,
  wooCommerce,
  zendesk,
  asana,
  clickUp,
  googleAnalytics,
  googleTasks,
  mattermost,
  microsoftOneDrive,
  microsoftToDo,
  n8n,
  todoist,
  youTube,
  baserow,
  github,
  graphql,
  microsoftTeams,
  mondayCom,
  nocoDb,
  sendGrid,
  wordpress,
  emailSend,
  googleDocs,
  hubspot,
  jira,
  linkedIn,
  microsoftOutlook,
  whatsApp,
  googleCalendar,
  googleDrive,
  googleSheets,
  notion,
  slack,
  supabase,
  telegram,
  mailgun: {
    base: "https://api.mailgun.net/v3",
    needs: "a Mailgun key (HTTP user name api)",
    calls: {
      ".": {
        method: "POST",
        url: "/<domain>/messages",
        body: { from: "fromEmail", to: "toEmail", subject: "subject", text: "text" },
      },
    },
  },
  linear: { base: "https://api.linear.app/graphql", needs: "a Linear key (HTTP header Authorization)", calls: {} },
  trello: {
    base: "https://api.trello.com/1",
    needs: "a Trello key and token (parameters key and token)",
    calls: {
      "card.create": { method: "POST", url: "/cards", query: { idList: "listId", name: "name", desc: "description" } },
      "card.get": { method: "GET", url: "/cards/{id}" },
      "card.update": { method: "PUT", url: "/cards/{id}" },
      "list.getCards": { method: "GET", url: "/lists/{id}/cards" },
    },
  },
  twitter: {
    base: "https://api.twitter.com/2",
    needs: bearer("X"),
    usual: { resource: "tweet", operation: "create" },
    calls: {
      "tweet.create": { method: "POST", url: "/tweets", body: { text: "text" } },
      "tweet.search": {
        method: "GET",
        url: "/tweets/search/recent",
        query: { query: "searchText", max_results: "limit" },
      },
      "tweet.delete": { method: "DELETE", url: "/tweets/{tweetDeleteId}" },
    },
  },
  microsoftExcel: {
    base: "https://graph.microsoft.com/v1.0/me/drive/items",
    needs: bearer("Microsoft"),
    calls: { "worksheet.readRows": { method: "GET", url: "/{workbook}/workbook/worksheets/{worksheet}/usedRange" } },
  },
  openWeatherMap: {
    base: "https://api.openweathermap.org/data/2.5",
    needs: "an OpenWeather key (API key, sent in the query as appid)",
    usual: { operation: "currentWeather" },
    calls: {
      ".currentWeather": {
        method: "GET",
        url: "/weather",
        query: { q: "cityName", lat: "latitude", lon: "longitude", id: "cityId", units: "format" },
      },
      ".5DayForecast": {
        method: "GET",
        url: "/forecast",
        query: { q: "cityName", lat: "latitude", lon: "longitude", units: "format" },
      },
    },
  },
  hackerNews: {
    base: "https://hn.algolia.com/api/v1",
    needs: "",
    usual: { resource: "article", operation: "get", operations: { all: "getAll", article: "get", user: "get" } },
    calls: {
      "all.getAll": {
        method: "GET",
        url: "/search",
        query: { query: "additionalFields.keyword", tags: "additionalFields.tags" },
        limit: "hitsPerPage",
        items: "hits",
      },
      "article.get": { method: "GET", url: "/items/{articleId}" },
      "user.get": { method: "GET", url: "/users/{username}" },
    },
  },
  reddit: {
    base: "https://oauth.reddit.com",
    needs: bearer("Reddit"),
    usual: { resource: "post", operation: "create", operations: { postComment: "create", subreddit: "get" } },
    calls: {
      "post.search": {
        method: "GET",
        url: "/r/{subreddit}/search",
        query: { q: "keyword", restrict_sr: "=true" },
        limit: "limit",
        rest: ["additionalFields"],
        items: "data.children",
      },
      "post.getAll": { method: "GET", url: "/r/{subreddit}/new", limit: "limit", items: "data.children" },
      "post.get": { method: "GET", url: "/r/{subreddit}/comments/{postId}" },
      "post.create": {
        method: "POST",
        url: "/api/submit",
        form: {
          sr: "subreddit",
          kind: "kind",
          title: "title",
          text: "text",
          url: "url",
          resubmit: "resubmit",
          api_type: "=json",
        },
      },
      "post.delete": { method: "POST", url: "/api/del", form: { id: "postId" } },
      "postComment.create": {
        method: "POST",
        url: "/api/comment",
        form: { thing_id: "postId", text: "commentText", api_type: "=json" },
      },
      "postComment.reply": {
        method: "POST",
        url: "/api/comment",
        form: { thing_id: "commentId", text: "replyText", api_type: "=json" },
      },
    },
  },
  rssFeedRead: {
    base: "",
    needs: "",
    calls: { ".": { method: "GET", url: "{url}", note: "The feed comes as text (XML)." } },
  },
  tavily: {
    base: "https://api.tavily.com",
    needs: bearer("Tavily"),
    usual: { resource: "search", operation: "query" },
    calls: {
      "search.query": { method: "POST", url: "/search", body: { query: "query" }, rest: ["options"] },
      "search.": { method: "POST", url: "/search", body: { query: "query" }, rest: ["options"] },
      "extract.": { method: "POST", url: "/extract", body: { urls: "urls|url" }, rest: ["options"] },
    },
  },
  braveSearch: {
    base: "https://api.search.brave.com/res/v1",
    needs: "a Brave key (HTTP header X-Subscription-Token)",
    usual: { resource: "web", operation: "query" },
    calls: {
      ".query": { method: "GET", url: "/web/search", query: { q: "query" } },
      ".": { method: "GET", url: "/web/search", query: { q: "query" } },
    },
  },
  jinaAi: {
    base: "https://r.jina.ai",
    needs: bearer("Jina"),
    usual: { resource: "reader", operation: "read" },
    calls: {
      "reader.read": { method: "GET", url: "https://r.jina.ai/{url}" },
      "reader.search": { method: "GET", url: "https://s.jina.ai/", query: { q: "searchQuery" } },
    },
  },
  serpApi: {
    base: "https://serpapi.com",
    needs: "a SerpApi key (API key, sent in the query as api_key)",
    calls: { ".": { method: "GET", url: "/search.json", query: { q: "q" } } },
  },
  perplexity: {
    base: "https://api.perplexity.ai",
    needs: bearer("Perplexity"),
    calls: {
      ".": { method: "POST", url: "/chat/completions", body: { model: "model", messages: "messages.message" } },
      "chat.complete": {
        method: "POST",
        url: "/chat/completions",
        body: { model: "model", messages: "messages.message" },
      },
    },
  },
  firecrawl: {
    base: "https://api.firecrawl.dev/v1",
    needs: bearer("Firecrawl"),
    calls: {
      ".scrape": { method: "POST", url: "/scrape", body: { url: "url" } },
      ".crawl": { method: "POST", url: "/crawl", body: { url: "url" } },
      ".search": { method: "POST", url: "/search", body: { query: "query" } },
    },
  },
  freshdesk: {
    base: "https://<name>.freshdesk.com/api/v2",
    needs: "the address and a key (HTTP user name)",
    calls: {
      "ticket.create": { method: "POST", url: "/tickets" },
      "ticket.get": { method: "GET", url: "/tickets/{ticketId}" },
    },
  },
  googleBigQuery: {
    base: "https://bigquery.googleapis.com/bigquery/v2",
    needs: google,
    usual: { operation: "executeQuery" },
    calls: {
      ".executeQuery": {
        method: "POST",
        url: "/projects/{projectId}/queries",
        body: { query: "sqlQuery", useLegacySql: "=false" },
      },
    },
  },
  googleSlides: {
    base: "https://slides.googleapis.com/v1/presentations",
    needs: google,
    calls: { "presentation.get": { method: "GET", url: "/{presentationId}" } },
  },
  googleContacts: {
    base: "https://people.googleapis.com/v1",
    needs: google,
    calls: { "contact.getAll": { method: "GET", url: "/people/me/connections" } },
  },
  googleTranslate: {
    base: "https://translation.googleapis.com/language/translate/v2",
    needs: google,
    calls: {
      "language.translate": { method: "POST", url: "", body: { q: "text", target: "translateTo" } },
      ".translate": { method: "POST", url: "", body: { q: "text", target: "translateTo" } },
      ".": { method: "POST", url: "", body: { q: "text", target: "translateTo" } },
    },
  },
  deepL: {
    base: "https://api-free.deepl.com/v2",
    needs: "a DeepL key (HTTP header Authorization: DeepL-Auth-Key …)",
    usual: { resource: "language", operation: "translate" },
    calls: {
      "language.translate": { method: "POST", url: "/translate", body: { text: "text", target_lang: "translateTo" } },
    },
  },
  elasticsearch: {
    base: "https://<host>:9200",
    needs: "the server's address and a credential",
    calls: {
      "document.getAll": { method: "POST", url: "/{indexId}/_search" },
      "document.create": { method: "POST", url: "/{indexId}/_doc" },
    },
  },
  qdrant: { base: "https://<host>:6333", needs: "the server's address and a key (HTTP header api-key)", calls: {} },
  vapi: { base: "https://api.vapi.ai", needs: bearer("Vapi"), calls: {} },
  elevenLabs: { base: "https://api.elevenlabs.io/v1", needs: "an ElevenLabs key (HTTP header xi-api-key)", calls: {} },
  strava: {
    base: "https://www.strava.com/api/v3",
    needs: bearer("Strava"),
    calls: { "activity.getAll": { method: "GET", url: "/athlete/activities" } },
  },
  // developer.spotify.com/documentation/web-api
  spotify: {
    base: "https://api.spotify.com/v1",
    needs: "a Spotify sign-in (OAuth 2.0)",
    usual: {
      resource: "player",
      operation: "addSongToQueue",
      operations: {
        player: "addSongToQueue",
        playlist: "add",
        track: "getAudioFeatures",
        library: "getLikedTracks",
        myData: "getFollowingArtists",
      },
    },
    calls: {
      "player.addSongToQueue": { method: "POST", url: "/me/player/queue", query: { uri: "id" } },
      "player.currentlyPlaying": { method: "GET", url: "/me/player/currently-playing" },
      "player.nextSong": { method: "POST", url: "/me/player/next" },
      "player.previousSong": { method: "POST", url: "/me/player/previous" },
      "player.pause": { method: "PUT", url: "/me/player/pause" },
      "player.resume": { method: "PUT", url: "/me/player/play" },
      "player.startMusic": { method: "PUT", url: "/me/player/play", body: { context_uri: "id" } },
      "player.volume": { method: "PUT", url: "/me/player/volume", query: { volume_percent: "volumePercent" } },
      "player.recentlyPlayed": { method: "GET", url: "/me/player/recently-played", limit: "limit", items: "items" },
      "playlist.create": { method: "POST", url: "/me/playlists", body: { name: "name" }, rest: ["additionalFields"] },
      "playlist.getUserPlaylists": { method: "GET", url: "/me/playlists", limit: "limit", items: "items" },
      "library.getLikedTracks": { method: "GET", url: "/me/tracks", limit: "limit", items: "items" },
      "track.search": {
        method: "GET",
        url: "/search",
        query: { q: "query", type: "=track" },
        limit: "limit",
        rest: ["filters"],
        items: "tracks.items",
      },
      "artist.search": {
        method: "GET",
        url: "/search",
        query: { q: "query", type: "=artist" },
        limit: "limit",
        rest: ["filters"],
        items: "artists.items",
      },
      "album.search": {
        method: "GET",
        url: "/search",
        query: { q: "query", type: "=album" },
        limit: "limit",
        rest: ["filters"],
        items: "albums.items",
      },
      "playlist.search": {
        method: "GET",
        url: "/search",
        query: { q: "query", type: "=playlist" },
        limit: "limit",
        rest: ["filters"],
        items: "playlists.items",
      },
      ...spotifyById,
    },
  },
  gitlab: {
    base: "https://gitlab.com/api/v4",
    needs: "a GitLab token (HTTP header PRIVATE-TOKEN)",
    calls: {
      "issue.create": {
        method: "POST",
        url: "/projects/{owner}%2F{repository}/issues",
        body: { title: "title", description: "body" },
      },
    },
  },
  coda: { base: "https://coda.io/apis/v1", needs: bearer("Coda"), calls: {} },
  typeform: { base: "https://api.typeform.com", needs: bearer("Typeform"), calls: {} },
  calendly: { base: "https://api.calendly.com", needs: bearer("Calendly"), calls: {} },
  zoom: {
    base: "https://api.zoom.us/v2",
    needs: bearer("Zoom"),
    calls: { "meeting.create": { method: "POST", url: "/users/me/meetings", body: { topic: "topic" } } },
  },
  nasa: {
    base: "https://api.nasa.gov",
    needs: "a NASA key (API key, sent in the query as api_key)",
    calls: { "astronomyPictureOfTheDay.get": { method: "GET", url: "/planetary/apod" } },
  },
  coinGecko: {
    base: "https://api.coingecko.com/api/v3",
    needs: "",
    calls: {
      "coin.price": {
        method: "GET",
        url: "/simple/price",
        query: { ids: "quoteCurrencies", vs_currencies: "currencies" },
      },
    },
  },
};

/** What the vendors of models offer besides chat, by the vendor. */
export const vendorApis: Readonly<Record<"openai" | "anthropic" | "gemini" | "ollama", Service>> = {
  openai: openAiApi,
  anthropic: {
    base: "https://api.anthropic.com/v1",
    needs: "an Anthropic key (HTTP header x-api-key)",
    headers: { "anthropic-version": "2023-06-01" },
    calls: {},
  },
  gemini: geminiApi,
  ollama: { base: "http://localhost:11434/api", needs: "", calls: {} },
};
