import type {
  providerHelp as englishHelp,
  providerLabels as englishLabels,
  ProviderValues,
} from "../en/provider_fields.ts";

export const providerLabels: typeof englishLabels = {
  allowed_tenants: "Inquilinos permitidos",
  authorization_endpoint: "Punto de autorización",
  client_secret: "Secreto de cliente o clave privada",
  email_domains: "Dominios de correo",
  email_trust: "Confianza en los correos",
  issuer: "Emisor",
  keep_tokens: "Guardar sus tokens",
  label: "Nombre en el botón",
  link: "Si el correo ya tiene cuenta aquí",
  links: "Cuentas vinculadas",
  preset: "Tipo de proveedor",
  provider_id: "Registro del proveedor",
  sign_up: "Quién puede obtener una cuenta",
  token_endpoint: "Punto de tokens",
  trust_amr: "Confianza en su segundo factor",
  userinfo_endpoint: "Punto de información del usuario",
};

export const providerHelp: typeof englishHelp = {
  allowed_tenants:
    "Uno por línea: ID de inquilino de Microsoft, dominios de Google Workspace, ID de espacio de Slack. Vacío, puede entrar cualquiera.",
  client_secret:
    "Del proveedor. Para Apple, la clave privada en PEM. Se guarda cifrado y no se muestra; vacío, queda como está.",
  email_domains:
    "Uno por línea, como example.com. Para la confianza por dominio y para las cuentas por dominio.",
  email_trust:
    "Una elección equivocada regala cuentas: un correo en el que se confía abre la cuenta que lo tiene.",
  issuer: "Una dirección https, tal como la publica el proveedor.",
  keep_tokens: "Cifrados, para poder revocarlos en el proveedor cuando termina un vínculo. Nadie los lee.",
  label: "Las personas eligen el proveedor por él.",
  link: "De forma automática solo donde el propio proveedor gestiona el buzón.",
  links: "Hace falta mientras haya alguna. Después esas personas entran de otra manera.",
  provider_active: "Si se desactiva, nadie entra a través de él. Las cuentas vinculadas se quedan.",
  provider_client_id: "El nuestro, tal como lo dio el proveedor.",
  provider_scopes: "Separados por espacios, comas o líneas. Vacío, los que hacen falta para iniciar sesión.",
  provider_slug:
    "Figura en el URI de redirección y en las cuentas vinculadas, y no cambia mientras haya alguna.",
  trust_amr: "A quien dio allí un segundo factor no se le pide otro aquí.",
};

export const providerValues: ProviderValues = {
  preset: {
    oidc: "Cualquier proveedor de OpenID",
    oauth2: "Cualquier proveedor de OAuth 2.0",
  },
  email_trust: {
    never: "Ninguna",
    claim: "Donde el proveedor dice que está verificado",
    domains: "Todos los correos de los dominios indicados",
  },
  sign_up: {
    never: "Nadie",
    invited: "Personas invitadas",
    domains: "Personas de los dominios de correo",
    anyone: "Cualquiera",
  },
  link: {
    ask: "Pedir una prueba de la cuenta",
    automatic: "Vincular automáticamente donde es seguro",
  },
  links: { delete: "Eliminarlas" },
};
