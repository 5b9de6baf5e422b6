import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ApiServer } from "../http/api/server.ts";

/** Opens a port for the server, and returns the options with which a command calls it by the server's key. */
export async function servedAt({ app, key }: ApiServer, folder: string): Promise<string[]> {
  const file = join(folder, "key");
  writeFileSync(file, key);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  return ["--server", `http://127.0.0.1:${port}`, "--api-key-file", file];
}
