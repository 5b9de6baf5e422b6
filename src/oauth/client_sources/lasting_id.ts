import { sha256 } from "../../crypto/digest.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";

/**
 * Returns the UUID under which a client's used assertions and pushed requests are stored. A client from a
 * metadata document may send assertions before it is stored, and until then each process gives it a different
 * id.
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
