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
  attribute_claims: "Declaraciones de atributos",
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
    "Uno por línea: ID de inquilino de Microsoft, dominios de Google Workspace, ID de espacio de Slack. Déjalo vacío para permitirlos todos.",
  client_secret:
    "Del proveedor. Para Apple, la clave privada en PEM. Se guarda cifrado y no se muestra; vacío, queda como está.",
  new_client_secret: "Del proveedor. Para Apple, la clave privada en PEM. Se guarda cifrado y no se muestra.",
  email_domains:
    "Uno por línea, como example.com. Para la confianza por dominio y para las cuentas por dominio.",
  email_trust:
    "Una elección equivocada pone en riesgo las cuentas: un proveedor que avala un correo puede entrar en la cuenta que lo tiene.",
  issuer: "Una dirección https, tal como la publica el proveedor.",
  attribute_claims:
    'Un objeto JSON de atributos y declaraciones, como { "department": "dept" }. Solo los proveedores escriben esos atributos, y una declaración ausente elimina su valor.',
  keep_tokens: "Se guardan cifrados, solo para revocarlos en el proveedor cuando se elimina un vínculo.",
  label: "Los usuarios eligen el proveedor por este nombre.",
  link: "De forma automática solo donde el propio proveedor gestiona el buzón.",
  links:
    "Obligatorio mientras haya cuentas vinculadas. Después, sus usuarios deben iniciar sesión de otra manera.",
  provider_active:
    "Mientras está desactivado, los usuarios no pueden entrar con él. Las cuentas vinculadas se conservan.",
  provider_client_id: "El ID de cliente que el proveedor asignó a este servidor.",
  provider_reserved:
    "Solo los administradores de la plataforma pueden elegir más opciones, como confiar en los correos o enlazar cuentas automáticamente.",
  provider_scopes: "Separados por espacios, comas o líneas. Vacío, los que hacen falta para iniciar sesión.",
  new_provider_slug:
    "Forma parte del URI de redirección que registras en el proveedor: la URL de este servidor seguida de /sign-in/, el slug y /callback. No puede cambiar mientras haya cuentas vinculadas.",
  provider_slug:
    "Figura en el URI de redirección y en las cuentas vinculadas, y no cambia mientras haya alguna.",
  trust_amr: "A los usuarios que confirmaron allí un segundo factor no se les pide otro aquí.",
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
    ask: "Pedir una prueba de titularidad",
    automatic: "Vincular automáticamente donde es seguro",
  },
  links: { delete: "Eliminarlas" },
};
