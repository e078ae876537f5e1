import type { FixedCall, Service } from "../services.ts";
import { given, inAddress, present, segment, type AppMapper } from "./request.ts";

const bearer = (name: string) => `a token of ${name} (HTTP bearer)`;

const crud = (
  path: string,
  id: string,
  items: string,
  more: Partial<FixedCall> = {},
): Record<"get" | "getAll" | "delete", FixedCall> => ({
  get: { method: "GET", url: `${path}/{${id}}`, ...more },
  getAll: {
    method: "GET",
    url: path,
    limit: "limit",
    items,
    rest: ["filters", "additionalFields", "options"],
    ...more,
  },
  delete: { method: "DELETE", url: `${path}/{${id}}`, ...more },
});

/** Pipedrive's API (developers.pipedrive.com/docs/api/v1). */
const pipedriveOf = (path: string, id: string, own: Record<string, string>): Record<string, FixedCall> => {
  const [get, getAll, remove] = [
    crud(path, id, "data").get,
    crud(path, id, "data").getAll,
    crud(path, id, "data").delete,
  ];
  return {
    create: {
      method: "POST",
      url: path,
      body: own,
      rest: ["additionalFields"],
      style: "snake",
      names: { label: "label", customProperties: "" },
    },
    update: {
      method: path === "/leads" ? "PATCH" : "PUT",
      url: `${path}/{${id}}`,
      rest: ["updateFields"],
      style: "snake",
    },
    get,
    getAll,
    delete: remove,
    search: {
      method: "GET",
      url: `${path}/search`,
      query: { term: "term", exact_match: "exactMatch" },
      limit: "limit",
      items: "data.items",
      rest: ["additionalFields"],
      style: "snake",
    },
  };
};

const prefixed = (resource: string, calls: Record<string, FixedCall>) =>
  Object.fromEntries(Object.entries(calls).map(([operation, call]) => [`${resource}.${operation}`, call]));

export const pipedrive: Service = {
  base: "https://api.pipedrive.com/v1",
  needs: "a Pipedrive token (API key, sent in the query as api_token)",
  usual: { resource: "deal", operation: "create" },
  calls: {
    ...prefixed("deal", pipedriveOf("/deals", "dealId", { title: "title", org_id: "org_id", person_id: "person_id" })),
    ...prefixed("person", pipedriveOf("/persons", "personId", { name: "name" })),
    ...prefixed("organization", pipedriveOf("/organizations", "organizationId", { name: "name" })),
    ...prefixed(
      "lead",
      pipedriveOf("/leads", "leadId", { title: "title", organization_id: "organization_id", person_id: "person_id" }),
    ),
    ...prefixed("note", pipedriveOf("/notes", "noteId", { content: "content" })),
    ...prefixed(
      "activity",
      pipedriveOf("/activities", "activityId", { subject: "subject", done: "done", type: "type" }),
    ),
    ...prefixed("product", pipedriveOf("/products", "productId", { name: "name" })),
  },
};

/** Stripe takes forms (docs.stripe.com/api). */
const stripeOf = (path: string, id: string, own: Record<string, string>): Record<string, FixedCall> => ({
  ...crud(path, id, "data"),
  create: { method: "POST", url: path, form: own, rest: ["additionalFields"], style: "snake" },
  update: { method: "POST", url: `${path}/{${id}}`, form: {}, rest: ["updateFields"], style: "snake" },
});

export const stripe: Service = {
  base: "https://api.stripe.com/v1",
  connector: "stripe",
  needs: "a Stripe key",
  usual: { resource: "balance", operation: "get" },
  calls: {
    "balance.get": { method: "GET", url: "/balance" },
    ...prefixed("customer", stripeOf("/customers", "customerId", { name: "name" })),
    ...prefixed(
      "charge",
      stripeOf("/charges", "chargeId", {
        customer: "customerId",
        amount: "amount",
        currency: "currency",
        source: "source",
      }),
    ),
    ...prefixed(
      "coupon",
      stripeOf("/coupons", "couponId", {
        duration: "duration",
        amount_off: "amountOff",
        percent_off: "percentOff",
        currency: "currency",
      }),
    ),
    ...prefixed("source", stripeOf("/sources", "sourceId", { type: "type", amount: "amount", currency: "currency" })),
  },
};

/** Salesforce's REST API; objects carry their own names (developer.salesforce.com/docs/atlas.en-us.api_rest.meta). */
const salesforceOf = (object: string, id: string, own: Record<string, string>): Record<string, FixedCall> => {
  const custom = {
    style: "pascal",
    names: {
      firstname: "FirstName",
      lastname: "LastName",
      owner: "OwnerId",
      recordTypeId: "RecordTypeId",
      acconuntId: "AccountId",
    },
  } as const;
  return {
    create: { method: "POST", url: `/sobjects/${object}`, body: own, rest: ["additionalFields"], ...custom },
    update: { method: "PATCH", url: `/sobjects/${object}/{${id}}`, rest: ["updateFields"], ...custom },
    upsert: {
      method: "PATCH",
      url: `/sobjects/${object}/{externalId}/{externalIdValue}`,
      body: own,
      rest: ["additionalFields"],
      ...custom,
    },
    get: { method: "GET", url: `/sobjects/${object}/{${id}}` },
    delete: { method: "DELETE", url: `/sobjects/${object}/{${id}}` },
  };
};

export const salesforce: Service = {
  base: "https://<your-site>.my.salesforce.com/services/data/v60.0",
  needs: "a Salesforce sign-in (HTTP bearer), and write the site’s name into the address",
  usual: { resource: "lead", operation: "create" },
  calls: {
    "search.query": { method: "GET", url: "/query", query: { q: "query" }, items: "records" },
    ...prefixed("lead", salesforceOf("Lead", "leadId", { Company: "company", LastName: "lastname" })),
    ...prefixed("contact", salesforceOf("Contact", "contactId", { LastName: "lastname" })),
    ...prefixed("account", salesforceOf("Account", "accountId", { Name: "name" })),
    ...prefixed(
      "opportunity",
      salesforceOf("Opportunity", "opportunityId", { Name: "name", CloseDate: "closeDate", StageName: "stageName" }),
    ),
    ...prefixed("case", salesforceOf("Case", "caseId", { Type: "type" })),
    ...prefixed("task", salesforceOf("Task", "taskId", { Status: "status" })),
  },
};

/** Zendesk's tickets and people (developer.zendesk.com/api-reference). */
const zendeskUpdate: AppMapper = (work) => {
  const custom = work.list("updateFields", "customFieldsUi", "customFieldsValues");
  const note = given(work, "updateFields", "internalNote");
  const reply = given(work, "updateFields", "publicReply");
  const field = (name: string) => given(work, "updateFields", name);
  return {
    method: "PUT",
    path: `/tickets/${segment(work, "id")}`,
    body: {
      ticket: present({
        subject: field("subject"),
        status: field("status"),
        type: field("type"),
        group_id: field("group"),
        tags: field("tags"),
        recipient: field("recipient"),
        external_id: field("externalId"),
        assignee_email: field("assigneeEmail"),
        comment:
          note !== undefined
            ? { body: note, public: false }
            : reply === undefined
              ? undefined
              : { body: reply, public: true },
        custom_fields:
          custom.length === 0
            ? undefined
            : custom.map(({ id, value }) => ({ id: work.template(id ?? ""), value: work.template(value ?? "") })),
      }),
    },
  };
};

const zendeskCreate: AppMapper = (work) => {
  const custom = work.list("additionalFields", "customFieldsUi", "customFieldsValues");
  const field = (name: string) => given(work, "additionalFields", name);
  const name = field("requesterName");
  return {
    method: "POST",
    path: "/tickets",
    body: {
      ticket: present({
        comment: { body: given(work, "description") ?? "" },
        subject: field("subject"),
        status: field("status"),
        type: field("type"),
        group_id: field("group"),
        tags: field("tags"),
        recipient: field("recipient"),
        external_id: field("externalId"),
        requester: name === undefined ? undefined : present({ name, email: field("requesterEmail") }),
        custom_fields:
          custom.length === 0
            ? undefined
            : custom.map(({ id, value }) => ({ id: work.template(id ?? ""), value: work.template(value ?? "") })),
      }),
    },
  };
};

const zendeskOf = (path: string, one: string): Record<string, FixedCall> => ({
  ...crud(path, "id", path.slice(1)),
  create: {
    method: "POST",
    url: path,
    body: { name: "name" },
    rest: ["additionalFields"],
    style: "snake",
    within: one,
  },
  update: { method: "PUT", url: `${path}/{id}`, rest: ["updateFields"], style: "snake", within: one },
});

export const zendesk: Service = {
  base: "https://<your-name>.zendesk.com/api/v2",
  needs: "an API token of Zendesk (HTTP user name and password), and write your name there into the address",
  usual: { resource: "ticket", operation: "create" },
  calls: {
    ...prefixed("ticket", { ...crud("/tickets", "id", "tickets") }),
    "ticket.create": zendeskCreate,
    "ticket.update": zendeskUpdate,
    ...prefixed("user", zendeskOf("/users", "user")),
    ...prefixed("organization", zendeskOf("/organizations", "organization")),
  },
};

/** A shop of WooCommerce (woocommerce.github.io/woocommerce-rest-api-docs). */
const wooOf = (path: string, id: string, own: Record<string, string>): Record<string, FixedCall> => ({
  get: { method: "GET", url: `${path}/{${id}}` },
  getAll: { method: "GET", url: path, limit: "per_page", rest: ["options"], style: "snake" },
  create: { method: "POST", url: path, body: own, rest: ["additionalFields"], style: "snake" },
  update: { method: "PUT", url: `${path}/{${id}}`, rest: ["updateFields"], style: "snake" },
  delete: { method: "DELETE", url: `${path}/{${id}}`, query: { force: "=true" } },
});

export const wooCommerce: Service = {
  base: "https://<your-shop>/wp-json/wc/v3",
  needs: "the shop’s keys (HTTP user name and password), and write its address",
  usual: { resource: "product", operation: "create" },
  calls: {
    ...prefixed("order", wooOf("/orders", "orderId", {})),
    ...prefixed("product", wooOf("/products", "productId", { name: "name" })),
    ...prefixed("customer", wooOf("/customers", "customerId", { email: "email" })),
  },
};

/** Shopify's REST Admin API (shopify.dev/docs/api/admin-rest). */
const shopifyOf = (
  path: string,
  id: string,
  items: string,
  own: Record<string, string>,
): Record<string, FixedCall> => ({
  get: { method: "GET", url: `${path}/{${id}}.json`, rest: ["options"] },
  getAll: {
    method: "GET",
    url: `${path}.json`,
    limit: "limit",
    items,
    rest: ["options", "additionalFields"],
    style: "snake",
  },
  create: {
    method: "POST",
    url: `${path}.json`,
    body: own,
    rest: ["additionalFields"],
    style: "snake",
    within: items.slice(0, -1),
  },
  update: {
    method: "PUT",
    url: `${path}/{${id}}.json`,
    rest: ["updateFields"],
    style: "snake",
    within: items.slice(0, -1),
  },
  delete: { method: "DELETE", url: `${path}/{${id}}.json` },
});

export const shopify: Service = {
  base: "https://<your-shop>.myshopify.com/admin/api/2024-10",
  needs: "a Shopify token (HTTP header X-Shopify-Access-Token), and write the shop’s name into the address",
  usual: { resource: "order", operation: "create" },
  calls: {
    ...prefixed("order", shopifyOf("/orders", "orderId", "orders", {})),
    ...prefixed("product", shopifyOf("/products", "productId", "products", { title: "title" })),
  },
};

/** Mailchimp (mailchimp.com/developer/marketing/api). */
export const mailchimp: Service = {
  base: "https://<dc>.api.mailchimp.com/3.0",
  needs: "a Mailchimp key (HTTP user name and password), and write your data centre into the address",
  usual: { resource: "member", operation: "create" },
  calls: {
    "member.create": {
      method: "POST",
      url: "/lists/{list}/members",
      body: { email_address: "email", status: "status" },
    },
    "member.get": { method: "GET", url: "/lists/{list}/members/{email}" },
    "member.getAll": { method: "GET", url: "/lists/{list}/members", limit: "count", items: "members" },
    "member.delete": { method: "DELETE", url: "/lists/{list}/members/{email}" },
    "member.update": { method: "PATCH", url: "/lists/{list}/members/{email}", rest: ["updateFields"], style: "snake" },
    "campaign.getAll": { method: "GET", url: "/campaigns", limit: "count", items: "campaigns" },
    "campaign.get": { method: "GET", url: "/campaigns/{campaignId}" },
    "campaign.send": { method: "POST", url: "/campaigns/{campaignId}/actions/send" },
    "campaign.delete": { method: "DELETE", url: "/campaigns/{campaignId}" },
    "listGroup.getAll": {
      method: "GET",
      url: "/lists/{list}/interest-categories/{groupCategory}/interests",
      limit: "count",
      items: "interests",
    },
  },
};

/** Twilio takes forms (www.twilio.com/docs/messaging/api/message-resource). */
const text: AppMapper = (work) => {
  const isWhatsApp = work.flag("toWhatsapp");
  const number = (name: string) => {
    const value = work.textOf(work.at(name));
    return isWhatsApp && !value.startsWith("whatsapp:") ? `whatsapp:${value}` : value;
  };
  return {
    method: "POST",
    path: "/Messages.json",
    form: { From: number("from"), To: number("to"), Body: work.textOf(work.at("message")) },
  };
};

export const twilio: Service = {
  base: "https://api.twilio.com/2010-04-01/Accounts/<your-account-sid>",
  needs: "account SID and token (HTTP user name and password), and write the SID into the address",
  usual: { resource: "sms", operation: "send", operations: { sms: "send", call: "make" } },
  calls: {
    "sms.send": text,
    "call.make": (work) => ({
      method: "POST",
      path: "/Calls.json",
      form: {
        From: work.textOf(work.at("from")),
        To: work.textOf(work.at("to")),
        Twiml: work.flag("twiml")
          ? work.textOf(work.at("message"))
          : `<Response><Say>${work.textOf(work.at("message"))}</Say></Response>`,
      },
    }),
  },
};

/** Which of Apify's actors is run; slashes in a name are tildes. */
const actorOf = (work: Parameters<AppMapper>[0]) => {
  const value = work.at("actorId");
  const named = /actors\/([\w~-]+)/.exec(typeof value === "string" ? value : "")?.[1];
  work.drop("actorSource", "The actor says it.");
  return `/acts/${named === undefined ? inAddress(work.textOf(value).replace(/^([\w-]+)\/([\w-]+)$/, "$1~$2")) : named}`;
};

const runActor =
  (path: string): AppMapper =>
  (work) => ({
    method: "POST",
    path: `${actorOf(work)}${path}`,
    query: present({
      timeout: given(work, "timeout"),
      memory: given(work, "memory"),
      build: given(work, "build") ?? given(work, "buildTag"),
      waitForFinish: path === "/runs" ? given(work, "waitForFinish") : undefined,
    }),
    body: given(work, "customBody") ?? {},
  });

/** Apify's API (docs.apify.com/api/v2). */
export const apify: Service = {
  base: "https://api.apify.com/v2",
  needs: bearer("Apify"),
  usual: { resource: "Actors", operation: "Run actor", operations: { Datasets: "Get items", "Actor runs": "Get run" } },
  calls: {
    "Actors.Run actor": runActor("/runs"),
    "Actors.Run actor and get dataset": runActor("/run-sync-get-dataset-items"),
    "Actors.Scrape single URL": (work) => ({
      method: "POST",
      path: "/acts/apify~website-content-crawler/run-sync-get-dataset-items",
      body: {
        startUrls: [{ url: given(work, "url") ?? "" }],
        ...present({ crawlerType: given(work, "crawlerType") }),
        maxCrawlPages: 1,
      },
    }),
    "Actors.Get last run": (work) => ({ method: "GET", path: `${actorOf(work)}/runs/last` }),
    "Datasets.Get items": {
      method: "GET",
      url: "/datasets/{datasetId}/items",
      query: { limit: "limit", offset: "offset" },
    },
    "Actor runs.Get run": { method: "GET", url: "/actor-runs/{runId}" },
    "Actor runs.Get runs": {
      method: "GET",
      url: "/actor-runs",
      query: { limit: "limit", offset: "offset" },
      items: "data.items",
    },
  },
};
