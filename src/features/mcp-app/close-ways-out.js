"use strict";
// The first script in the document of a tool's interface. No policy of every browser forbids a WebRTC connection, so this takes away what makes
// one, and keeps the document from making another document in which that is back: a frame with a text of its own, which `frame-src`
// does not forbid. Whatever becomes markup or code passes the one policy for trusted types, in which a frame is none; the document's
// own policy lets nobody make another. What it calls is taken before the document could change it.
(() => {
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport", "XSLTProcessor"])
    Reflect.deleteProperty(globalThis, name);

  // An answer that is read as a document would become markup without passing the policy.
  const request = XMLHttpRequest.prototype;
  const type = Object.getOwnPropertyDescriptor(request, "responseType");
  const { apply, deleteProperty, defineProperty } = Reflect;
  deleteProperty(request, "responseXML");
  const setType = function (value) {
    apply(type.set, this, [`${value}` === "document" ? "text" : value]);
  };
  defineProperty(request, "responseType", { ...type, set: setType, configurable: false });

  const factory = globalThis.trustedTypes;
  if (factory === undefined) return;
  const { exec } = RegExp.prototype;
  const { slice } = String.prototype;
  const frame = /<(?:[^<>\s!/?'"=]*:)?iframe/i;
  const entity = /<!entity/i;
  const placeOf = (pattern, text) => {
    const found = apply(exec, pattern, [text]);
    return found === null ? -1 : found.index;
  };

  function withoutFrames(text) {
    let sealed = "";
    let rest = text;
    for (let at = placeOf(frame, rest); at >= 0; at = placeOf(frame, rest)) {
      sealed += `${apply(slice, rest, [0, at + 1])}x-`;
      rest = apply(slice, rest, [at + 1]);
    }
    return sealed + rest;
  }

  factory.createPolicy("default", {
    createHTML(text, _type, sink) {
      if (sink === "HTMLIFrameElement srcdoc") return "";
      // Markup that comes in pieces, or that a parser of XML puts together.
      if (sink === "Document write" || sink === "Document writeln" || placeOf(entity, text) >= 0) return null;
      return withoutFrames(text);
    },
    // An address that is code makes a new document.
    createScript: (code, _type, sink) => (sink === "Location href" ? null : code),
    createScriptURL: (url) => url,
  });

  // Frameworks make policies of their own; what those let through meets the one above.
  const createPolicy = (name, rules = {}) => ({
    name,
    createHTML: (...given) => rules.createHTML(...given),
    createScript: (...given) => rules.createScript(...given),
    createScriptURL: (...given) => rules.createScriptURL(...given),
  });
  defineProperty(factory, "createPolicy", { value: createPolicy });
})();
