import { sha256 } from "../../crypto/digest.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";

/**
 * What marks of a client are kept under, as a UUID: its id, or, where it came by a document, a hash of the
 * address. Such a client makes marks before it is stored, and in processes that each would give it an id.
 */
export function lastingId({
  id,
  client_id,
  provenance,
}: Pick<OAuthApp, "id" | "client_id" | "provenance">): string {
  if (provenance !== "metadata_document") return id;
  const digits = sha256(client_id).toString("hex");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}
