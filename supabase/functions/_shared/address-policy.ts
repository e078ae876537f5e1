import ipaddr from "ipaddr.js";

/**
 * What kind of place an IP address is: `public` on the internet; `loopback` this machine; `private` a network of the
 * operator (RFC 1918, RFC 6598, RFC 4193), reachable only when the operator names the host; `forbidden` never to be
 * reached through a name: metadata services, link-local, multicast, reserved, and IPv6 forms that carry an IPv4 address.
 */
type AddressKind = "public" | "loopback" | "private" | "forbidden";

/** Ranges that `ipaddr.js` counts as ordinary or private although a cloud or the IETF keeps them for itself. */
const forbiddenRanges = [
  "168.63.129.16/32", // Azure's platform address, public by number
  "100.100.100.200/32", // Alibaba Cloud metadata, inside the carrier range
  "fd00:ec2::/32", // Amazon's IPv6 metadata, inside the unique local range
  "fd20:ce::/32", // Google's IPv6 metadata, inside the unique local range
  "2001::/23", // IETF protocol assignments, RFC 2928
  "3fff::/20", // documentation, RFC 9637
].map((range) => ipaddr.parseCIDR(range));

/** The only part of IPv6 that is handed out to hosts on the internet (RFC 4291 §2.4, IANA registry). */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** Classifies an address in text form. Anything that is not a plain address, such as one with a zone, is `forbidden`. */
export function classifyAddress(address: string): AddressKind {
  if (address.includes("%") || !ipaddr.isValid(address)) return "forbidden";
  const parsed = ipaddr.parse(address);
  if (forbiddenRanges.some((range) => contains(range, parsed))) return "forbidden";
  switch (parsed.range()) {
    case "loopback":
      return "loopback";
    case "private":
    case "carrierGradeNat":
    case "uniqueLocal":
      return "private";
    case "unicast":
      return isPublicUnicast(parsed) ? "public" : "forbidden";
    default:
      return "forbidden";
  }
}

/** One spelling for one address, so that two can be compared; a text that is no address comes back as it is. */
export function canonicalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

function isPublicUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === "ipv4") return true;
  return contains(globalUnicast, address) && !isIsatap(address.toByteArray());
}

/** ISATAP (RFC 5214 §6.1) hides an IPv4 address behind the interface identifier `[02]00:5efe`. */
function isIsatap(bytes: number[]): boolean {
  return (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

function contains(range: [ipaddr.IPv4 | ipaddr.IPv6, number], address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return range[0].kind() === address.kind() && address.match(range[0], range[1]);
}
