import type { memberHelp as help, memberLabels as labels, MemberValues } from "../en/member_fields.ts";

export const memberLabels: typeof labels = {
  "settings.brand.name": "Nombre en las páginas de inicio de sesión",
  "settings.brand.accent": "Color",
  "settings.brand.logo_url": "Logotipo en las páginas de inicio de sesión",
  "settings.sign_up.policy": "Quién puede registrarse",
  "settings.sign_up.domains": "Dominios de correo que pueden registrarse",
  "settings.audience": "Audiencia de los tokens",
  "settings.session.max_age": "Duración máxima de la sesión",
  "settings.session.idle": "Tiempo máximo sin uso",
  "settings.session.remember": "Los miembros pueden mantener la sesión iniciada",
  "metadata.client_uri": "Sitio web",
  "metadata.policy_uri": "Política de privacidad",
  "metadata.tos_uri": "Condiciones del servicio",
  "metadata.scope_descriptions": "Descripciones de los scopes",
  "metadata.refresh_reuse_window": "Margen de repetición de los tokens de renovación",
  "settings.team_id": "ID del equipo",
  "settings.key_id": "ID de la clave",
  "settings.claim_names.subject": "Claim del identificador",
  "settings.claim_names.email": "Claim del correo",
  "settings.claim_names.email_verified": "Claim del correo verificado",
  "settings.claim_names.name": "Claim del nombre",
  "settings.claim_names.picture": "Claim de la foto",
  "settings.revocation_endpoint": "Endpoint de revocación",
  "settings.pkce": "Usar PKCE",
  attribute: "Atributo",
  searchable: "Admite búsquedas",
};

export const memberHelp: typeof help = {
  "settings.brand.name": "Si lo dejas vacío, aparece el nombre de la organización.",
  "settings.brand.accent":
    "Por ejemplo #0e6655, para botones y enlaces. Si no se lee bien, lo sustituye uno más oscuro o más claro.",
  "settings.brand.logo_url":
    "Una dirección https, o una imagen pequeña como dirección data:. Si la dejas vacía, el logotipo de la organización.",
  "settings.sign_up.policy":
    "Para las aplicaciones de la organización. No permite más que POSTERN_SIGN_UP, que vale sin elegir y es closed si no se define.",
  sign_up_closed:
    "Este servidor no permite el registro, porque POSTERN_SIGN_UP es closed. Una organización no puede permitir más.",
  "settings.sign_up.domains": "Uno por línea, por ejemplo example.com.",
  "settings.audience": "De los tokens que se piden sin una API. Si la dejas vacía, tiene una propia.",
  "settings.session.max_age":
    "Para los miembros de la organización, desde su próximo inicio de sesión. Si el límite del servidor es menor, se aplica ese.",
  "settings.session.idle":
    "Para los miembros de la organización, desde el último uso. Si el límite del servidor es menor, se aplica ese.",
  "settings.session.remember": "Si el servidor lo ofrece al iniciar sesión.",
  "metadata.client_uri": "Una dirección https. La página de consentimiento la enlaza.",
  "metadata.policy_uri": "Una dirección https. La página de consentimiento la enlaza.",
  "metadata.tos_uri": "Una dirección https. La página de consentimiento la enlaza.",
  "metadata.scope_descriptions":
    "Una por línea, tras un signo igual: orders:read = Ver tus pedidos. Las descripciones en otros idiomas se conservan.",
  "metadata.refresh_reuse_window":
    "60 segundos como máximo: una petición repetida recibe la misma respuesta, y el token de acceso anterior vive lo mismo. Con 0 terminan al momento; vacío, vale el ajuste del servidor.",
  "settings.claim_names.subject": "Uno que el proveedor nunca cambia ni da a otra persona.",
  attribute: "Un nombre y un valor: department:Sales",
};

export const memberValues: MemberValues = {
  "settings.sign_up.policy": {
    closed: "Nadie",
    invited: "Personas invitadas",
    domains: "Personas de los dominios de correo",
    open: "Cualquiera",
  },
};
