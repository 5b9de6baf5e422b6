import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError } from "../../src/config/config_error.ts";
import { readConfig } from "../../src/config.ts";

/** The variables that Kubernetes sets in every container for a service, here for one named port. */
const linksOf = (name: string) => ({
  [`${name}_SERVICE_HOST`]: "10.96.12.7",
  [`${name}_SERVICE_PORT`]: "3000",
  [`${name}_SERVICE_PORT_HTTP`]: "3000",
  [`${name}_PORT`]: "tcp://10.96.12.7:3000",
  [`${name}_PORT_3000_TCP`]: "tcp://10.96.12.7:3000",
  [`${name}_PORT_3000_TCP_PROTO`]: "tcp",
  [`${name}_PORT_3000_TCP_PORT`]: "3000",
  [`${name}_PORT_3000_TCP_ADDR`]: "10.96.12.7",
});

const refused = (env: Record<string, string>, name: string) =>
  assert.throws(
    () => readConfig(env),
    (error) => error instanceof ConfigError && error.errors.map((error) => error.name).join() === name,
  );

test("Kubernetes service variables of a service named postern or postern-metrics are ignored", () => {
  const config = readConfig({ ...linksOf("POSTERN"), ...linksOf("POSTERN_METRICS") });
  assert.equal(config.port, 3000);
  assert.equal(config.metrics_port, undefined);
});

test("service variables for UDP, SCTP and IPv6, and those of Docker links, are ignored", () => {
  assert.equal(
    readConfig({
      POSTERN_SERVICE_HOST: "fd00::7",
      POSTERN_PORT: "udp://[fd00::7]:53",
      POSTERN_PORT_53_UDP: "udp://[fd00::7]:53",
      POSTERN_PORT_53_UDP_PROTO: "udp",
      POSTERN_PORT_9_SCTP_ADDR: "fd00::7",
    }).port,
    3000,
  );
  const docker = {
    POSTERN_PORT: "tcp://172.17.0.5:3000",
    POSTERN_NAME: "/web/postern",
    POSTERN_ENV_NODE_VERSION: "26",
  };
  assert.equal(readConfig(docker).port, 3000);
});

test("a real POSTERN_PORT applies despite service variables, and an invalid one is an error", () => {
  const { POSTERN_PORT: _, ...links } = linksOf("POSTERN");
  assert.equal(readConfig({ ...links, POSTERN_PORT: "8080" }).port, 8080);
  refused({ ...links, POSTERN_PORT: "80a" }, "POSTERN_PORT");
  refused({ POSTERN_PORT: "http://10.96.12.7:3000" }, "POSTERN_PORT");
  refused({ POSTERN_SERVICE_HOST: "id.example.com" }, "POSTERN_SERVICE_HOST");
  refused({ POSTERN_SERVICE_PORT: "https" }, "POSTERN_SERVICE_PORT");
  refused({ POSTERN_NAME: "/web/postern" }, "POSTERN_NAME");
  assert.equal(readConfig({ ...linksOf("POSTERN_BRAND"), POSTERN_BRAND_NAME: "Acme" }).brand.name, "Acme");
});
