import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { NodeWork } from "../node-work.ts";
import type { Service } from "../services.ts";
import { type AppMapper, given, listOf, present, segment, templated, unsaid } from "./request.ts";

/** Names that HubSpot writes otherwise than n8n in lower case. */
const names: Readonly<Record<string, string>> = {
  companyName: "company",
  phoneNumber: "phone",
  mobilePhoneNumber: "mobilephone",
  websiteUrl: "website",
  lifeCycleStage: "lifecyclestage",
  leadStatus: "hs_lead_status",
  leadRating: "hs_lead_rating",
  postalCode: "zip",
  stateRegion: "state",
  countryRegion: "country",
  streetAddress: "address",
  streetAddress2: "address2",
  contactOwner: "hubspot_owner_id",
  companyOwner: "hubspot_owner_id",
  dealOwner: "hubspot_owner_id",
  ticketOwnerId: "hubspot_owner_id",
  numberOfEmployees: "numberofemployees",
  companyDomainName: "domain",
  stage: "dealstage",
  ticketName: "subject",
  pipelineId: "hs_pipeline",
  stageId: "hs_pipeline_stage",
  priority: "hs_ticket_priority",
  category: "hs_ticket_category",
  aboutUs: "about_us",
  isPublic: "is_public",
  twitterUsername: "twitterhandle",
  linkedInBio: "linkedinbio",
  preferredLanguage: "hs_language",
};

/** Fields that say how n8n answers. */
const ways = new Set(["resolveData", "propertiesCollection"]);

/** n8n's fields as properties of HubSpot (developers.hubspot.com/docs/api-reference/crm-objects-v3). */
function propertiesOf(
  work: NodeWork,
  group: "additionalFields" | "updateFields",
  own: readonly string[] = [],
): JsonObject {
  const found = work.node.parameters.find([group]).value;
  const inGroup = isJsonObject(found) ? Object.keys(found) : [];
  const named = (name: string) => names[name] ?? name.toLowerCase();
  const rows = [
    ...work.list(group, "customPropertiesUi", "customPropertiesValues"),
    ...work.list("customPropertiesUi", "customPropertiesValues"),
  ];
  return {
    ...present(Object.fromEntries(own.map((name) => [named(name), given(work, name)]))),
    ...present(
      Object.fromEntries(
        inGroup
          .filter((name) => !ways.has(name) && !isNested(found, name))
          .map((name) => [named(name), given(work, group, name)]),
      ),
    ),
    ...Object.fromEntries(rows.map(({ property, value }) => [nameOf(work, property), work.template(value)])),
  };
}

function isNested(group: Json | undefined, name: string): boolean {
  const value = isJsonObject(group) ? group[name] : undefined;
  return Array.isArray(value) || (isJsonObject(value) && !("__rl" in value));
}

/** n8n keeps a property with its kind, `email|string`. */
const nameOf = (work: NodeWork, value: Json | undefined) => work.textOf(value).split("|")[0] ?? "";

const create =
  (object: string, own: readonly string[]): AppMapper =>
  (work) => ({
    method: "POST",
    path: `/crm/v3/objects/${object}`,
    body: { properties: propertiesOf(work, "additionalFields", own) },
  });

const update =
  (object: string, id: string): AppMapper =>
  (work) => ({
    method: "PATCH",
    path: `/crm/v3/objects/${object}/${segment(work, id)}`,
    body: { properties: propertiesOf(work, "updateFields") },
  });

/** Finds the contact by its address, and makes it where there is none. */
const upsert: AppMapper = (work) => {
  const email = given(work, "email") ?? "";
  const properties = propertiesOf(work, "additionalFields");
  return {
    method: "POST",
    path: "/crm/v3/objects/contacts/batch/upsert",
    body: { inputs: [{ idProperty: "email", id: email, properties: { email, ...properties } }] },
  };
};

/** Which properties come back. */
function wanted(work: NodeWork): Json | undefined {
  const list =
    listOf(work, work.at("additionalFields", "properties")) ??
    listOf(work, work.at("additionalFields", "propertiesCollection", "propertiesValues", "properties")) ??
    listOf(work, work.at("filters", "propertiesCollection", "propertiesValues", "properties")) ??
    listOf(work, work.at("options", "propertiesCollection", "propertiesValues", "properties"));
  return Array.isArray(list) ? list.map((one) => String(one).split("|")[0] ?? "") : list;
}

const get =
  (object: string, id: string): AppMapper =>
  (work) => {
    const properties = wanted(work);
    return {
      method: "GET",
      path: `/crm/v3/objects/${object}/${segment(work, id)}`,
      query: present({ properties: Array.isArray(properties) ? properties.join(",") : properties }),
    };
  };

const list =
  (object: string, note?: string): AppMapper =>
  (work) => {
    const properties = wanted(work);
    const all = work.flag("returnAll");
    return {
      method: "GET",
      path: `/crm/v3/objects/${object}`,
      query: present({
        properties: Array.isArray(properties) ? properties.join(",") : properties,
        limit: all ? 100 : (given(work, "limit") ?? 100),
      }),
      paging: { parameter: "after", next: "paging.next.after", items: "results", all },
      ...(note === undefined ? {} : { note }),
    };
  };

const remove =
  (object: string, id: string): AppMapper =>
  (work) => ({ method: "DELETE", path: `/crm/v3/objects/${object}/${segment(work, id)}` });

/** n8n's groups of filters (developers.hubspot.com/docs/api-reference/search/guide). */
const search =
  (object: string): AppMapper =>
  (work) => {
    const all = work.flag("returnAll");
    const groups = work.list("filterGroupsUi", "filterGroupsValues").map(({ filtersUi }): JsonObject => {
      const rows =
        isJsonObject(filtersUi) && Array.isArray(filtersUi.filterValues)
          ? filtersUi.filterValues.filter(isJsonObject)
          : [];
      return {
        filters: rows.map((row): JsonObject => {
          const operator = String(row.operator ?? "EQ");
          const values = operator === "IN" || operator === "NOT_IN" ? listOf(work, row.values ?? row.value) : undefined;
          return present({
            propertyName: nameOf(work, row.propertyName),
            operator,
            value: values === undefined ? templated(work, row.value) : undefined,
            highValue: templated(work, row.highValue),
            values,
          });
        }),
      };
    });
    const by = given(work, "additionalFields", "sortBy");
    return {
      method: "POST",
      path: `/crm/v3/objects/${object}/search`,
      body: present({
        filterGroups: groups.length === 0 ? undefined : groups,
        query: given(work, "additionalFields", "query"),
        properties: wanted(work),
        sorts:
          by === undefined
            ? undefined
            : [
                {
                  propertyName: by,
                  direction: given(work, "additionalFields", "direction") === "ASCENDING" ? "ASCENDING" : "DESCENDING",
                },
              ],
        limit: all ? 100 : (given(work, "limit") ?? 100),
      }),
      paging: { parameter: "after", next: "paging.next.after", items: "results", all },
    };
  };

/** Kinds of activities: their object, their properties, and the numbers by which they belong to contacts, companies and deals. */
const activities: Readonly<
  Record<string, { object: string; names: Readonly<Record<string, string>>; types: readonly [number, number, number] }>
> = {
  task: {
    object: "tasks",
    names: { subject: "hs_task_subject", body: "hs_task_body", status: "hs_task_status", forObjectType: "" },
    types: [204, 192, 216],
  },
  meeting: {
    object: "meetings",
    names: {
      title: "hs_meeting_title",
      body: "hs_meeting_body",
      startTime: "hs_meeting_start_time",
      endTime: "hs_meeting_end_time",
      internalMeetingNotes: "hs_internal_meeting_notes",
    },
    types: [200, 188, 212],
  },
  call: {
    object: "calls",
    names: {
      body: "hs_call_body",
      status: "hs_call_status",
      durationMilliseconds: "hs_call_duration",
      fromNumber: "hs_call_from_number",
      toNumber: "hs_call_to_number",
      recordingUrl: "hs_call_recording_url",
    },
    types: [194, 182, 206],
  },
  email: {
    object: "emails",
    names: { subject: "hs_email_subject", html: "hs_email_html", text: "hs_email_text" },
    types: [198, 186, 210],
  },
};

const engagement: AppMapper = (work) => {
  const kind = activities[work.word("type")];
  if (!kind) return unsaid("It is not said what kind of activity it adds.");
  const found = work.node.parameters.find(["metadata"]).value;
  const fields = isJsonObject(found) ? Object.keys(found) : [];
  work.drop(["metadata", "forObjectType"], "What it belongs to says it.");
  const properties = present(
    Object.fromEntries(
      fields
        .filter((name) => kind.names[name] !== "")
        .map((name) => [
          kind.names[name] ?? name,
          kind.names[name] === undefined ? undefined : given(work, "metadata", name),
        ]),
    ),
  );
  const owner = given(work, "additionalFields", "associations", "ownerIds");
  const to = ["contactIds", "companyIds", "dealIds"].flatMap((name, at) => {
    const ids = listOf(work, work.at("additionalFields", "associations", name));
    const type = { associationCategory: "HUBSPOT_DEFINED", associationTypeId: kind.types[at] ?? 0 };
    return Array.isArray(ids)
      ? ids.map((id): JsonObject => ({ to: { id }, types: [type] }))
      : ids === undefined
        ? []
        : [{ to: { id: `{{first(${String(ids).slice(2, -2)})}}` }, types: [type] }];
  });
  return {
    method: "POST",
    path: `/crm/v3/objects/${kind.object}`,
    body: {
      properties: { hs_timestamp: "{{iso(now)}}", ...properties, ...present({ hubspot_owner_id: owner }) },
      ...(to.length === 0 ? {} : { associations: to }),
    },
  };
};

const recent = "It lists them in HubSpot’s order, not the latest first.";

/** HubSpot's API of records. */
export const hubspot: Service = {
  base: "https://api.hubapi.com",
  connector: "hubspot",
  needs: "a HubSpot token",
  usual: {
    resource: "deal",
    laterResource: "contact",
    operation: "create",
    operations: {
      contact: "upsert",
      company: "create",
      deal: "create",
      ticket: "create",
      engagement: "create",
      form: "getFields",
      contactList: "add",
    },
  },
  calls: {
    "contact.upsert": upsert,
    "contact.create": upsert,
    "contact.get": get("contacts", "contactId"),
    "contact.getAll": list("contacts"),
    "contact.getRecentlyCreatedUpdated": list("contacts", recent),
    "contact.search": search("contacts"),
    "contact.delete": remove("contacts", "contactId"),
    "company.create": create("companies", ["name"]),
    "company.update": update("companies", "companyId"),
    "company.get": get("companies", "companyId"),
    "company.getAll": list("companies"),
    "company.getRecentlyCreated": list("companies", recent),
    "company.getRecentlyModified": list("companies", recent),
    "company.delete": remove("companies", "companyId"),
    "company.searchByDomain": (work) => ({
      method: "POST",
      path: "/crm/v3/objects/companies/search",
      body: present({
        filterGroups: [{ filters: [{ propertyName: "domain", operator: "EQ", value: given(work, "domain") ?? "" }] }],
        properties: wanted(work),
        limit: work.flag("returnAll") ? 100 : (given(work, "limit") ?? 100),
      }),
      paging: { parameter: "after", next: "paging.next.after", items: "results", all: work.flag("returnAll") },
    }),
    "deal.create": create("deals", ["stage"]),
    "deal.update": update("deals", "dealId"),
    "deal.get": get("deals", "dealId"),
    "deal.getAll": list("deals"),
    "deal.getRecentlyCreated": list("deals", recent),
    "deal.getRecentlyModified": list("deals", recent),
    "deal.search": search("deals"),
    "deal.delete": remove("deals", "dealId"),
    "ticket.create": create("tickets", ["pipelineId", "stageId", "ticketName"]),
    "ticket.update": update("tickets", "ticketId"),
    "ticket.get": get("tickets", "ticketId"),
    "ticket.getAll": list("tickets"),
    "ticket.delete": remove("tickets", "ticketId"),
    "engagement.create": engagement,
  },
};
