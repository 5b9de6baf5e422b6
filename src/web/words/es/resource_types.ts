import type { RecordNoun } from "../../../errors/messages.ts";
import type { ResourceTypeWords } from "../en/resource_types.ts";

interface Noun {
  readonly gender: "m" | "f";
  readonly one: string;
  readonly many: string;
}

const masculine = (one: string, many: string): Noun => ({ gender: "m", one, many });
const feminine = (one: string, many: string): Noun => ({ gender: "f", one, many });

export const esNouns: Readonly<Record<RecordNoun, Noun>> = {
  user: masculine("usuario", "usuarios"),
  organization: feminine("organización", "organizaciones"),
  membership: feminine("membresía", "membresías"),
  "linked account": feminine("cuenta vinculada", "cuentas vinculadas"),
  "API key": feminine("clave de API", "claves de API"),
  app: feminine("aplicación", "aplicaciones"),
  "app secret": masculine("secreto de aplicación", "secretos de aplicación"),
  token: masculine("token", "tokens"),
  "authorization code": masculine("código de autorización", "códigos de autorización"),
  consent: masculine("consentimiento", "consentimientos"),
  session: feminine("sesión", "sesiones"),
  API: feminine("API", "API"),
  "service account": feminine("cuenta de servicio", "cuentas de servicio"),
  "key pair": masculine("par de claves", "pares de claves"),
  "signing key": feminine("clave de firma", "claves de firma"),
  "audit event": masculine("evento de auditoría", "eventos de auditoría"),
  refusal: masculine("rechazo", "rechazos"),
  "webhook endpoint": masculine("destino de webhooks", "destinos de webhooks"),
  event: masculine("evento", "eventos"),
  delivery: feminine("entrega", "entregas"),
  invitation: feminine("invitación", "invitaciones"),
  passkey: feminine("llave de acceso", "llaves de acceso"),
  "authenticator app": feminine("aplicación de autenticación", "aplicaciones de autenticación"),
  role: masculine("rol", "roles"),
  group: masculine("grupo", "grupos"),
  "group member": masculine("miembro de grupo", "miembros de grupos"),
  "app role": masculine("rol de API", "roles de API"),
  provider: masculine("proveedor", "proveedores"),
  attribute: masculine("atributo", "atributos"),
  record: masculine("registro", "registros"),
};

const forms = {
  the: ["el", "la"],
  a: ["un", "una"],
  no: ["ningún", "ninguna"],
  other: ["otro", "otra"],
  same: ["el mismo", "la misma"],
} as const;

/** Returns the noun with its article or determiner: `el usuario`, `ninguna aplicación`. */
export function esNoun(before: keyof typeof forms, record: RecordNoun): string {
  const { gender, one } = esNouns[record];
  return `${forms[before][gender === "m" ? 0 : 1]} ${one}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const titled = (noun: RecordNoun, lead: string) => {
  const { one, many } = esNouns[noun];
  return { one: capital(one), many: capital(many), lead };
};

export const resourceTypeWords: ResourceTypeWords = {
  users: titled("user", "Personas que pueden iniciar sesión."),
  organizations: titled("organization", "Grupos de personas con aplicaciones propias."),
  memberships: titled("membership", "Miembros de las organizaciones y sus funciones."),
  roles: titled("role", "Roles en las organizaciones, además de los integrados."),
  groups: titled("group", "Grupos de miembros de una organización y los roles que dan."),
  group_members: titled("group member", "Miembros de los grupos."),
  attributes: titled(
    "attribute",
    "Lo que los registros dicen además de sus campos, y los claims que lo nombran.",
  ),
  providers: titled("provider", "Proveedores externos con los que se inicia sesión."),
  linked_accounts: titled("linked account", "Cuentas de los usuarios en otros proveedores."),
  api_keys: titled("API key", "Claves para la API de gestión."),
  apps: titled("app", "Aplicaciones con inicio de sesión o que solicitan tokens."),
  app_secrets: titled("app secret", "Secretos de cliente de tus aplicaciones."),
  tokens: {
    ...titled("token", "Lo emitido a las aplicaciones, lo más reciente primero."),
    one: "Token emitido",
    many: "Tokens emitidos",
  },
  auth_codes: titled("authorization code", "Códigos de un solo uso que las aplicaciones canjean por tokens."),
  consents: titled("consent", "Permisos que los usuarios han concedido a las aplicaciones."),
  sessions: titled("session", "Dónde han iniciado sesión las personas."),
  resources: titled("API", "Las API con sus scopes y los clientes que pueden solicitar tokens para ellas."),
  app_roles: titled("app role", "Roles de una API, que otorgan scopes de ella."),
  service_accounts: titled("service account", "Programas con identidad propia."),
  key_pairs: titled("key pair", "Claves con las que se autentican las cuentas de servicio."),
  signing_keys: titled("signing key", "Claves que firman tokens."),
  audit_events: {
    ...titled("audit event", "Quién hizo qué y cuándo, lo más reciente primero."),
    many: "Registro de auditoría",
  },
  webhook_endpoints: titled("webhook endpoint", "Direcciones que reciben eventos."),
  events: titled("event", "Lo que se comunica a los consumidores de eventos, lo más reciente primero."),
  deliveries: titled(
    "delivery",
    "Avisos de cierre de sesión a aplicaciones, eventos a destinos de webhooks y señales, lo más reciente primero.",
  ),
  refusals: {
    ...titled("refusal", "Solicitudes rechazadas, y por qué."),
    many: "Solicitudes fallidas",
  },
};
