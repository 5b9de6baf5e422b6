import type { FieldHelp } from "../en/field_help.ts";
import { memberHelp } from "./member_fields.ts";
import { providerHelp } from "./provider_fields.ts";

export const fieldHelp: FieldHelp = {
  ...providerHelp,
  ...memberHelp,
  access_token_ttl: "Cuanto menos dure, menos vale un token robado: 15 minutos es lo habitual.",
  app_ids:
    "Una por línea: ID de cliente, nombre o ID. Pueden hacer introspección de sus tokens. Los tokens que solicitan sin recurso son para esta API.",
  api_scopes:
    "Uno por línea, con su descripción tras un signo igual: orders:read = Ver tus pedidos. Las descripciones en otros idiomas se conservan.",
  api_default_scopes:
    "Separados por espacios, comas o líneas, de entre sus scopes. Los recibe un cliente que no pide ninguno, donde puede dejar el scope fuera.",
  identifier:
    "Un URI absoluto, como la dirección de la API. Es la audiencia de los tokens y después no cambia.",
  identifier_in_organization:
    "Empieza por urn:postern:organization: y el ID de la organización, o por el identificador de una de sus API. Es la audiencia de los tokens y después no cambia.",
  who_may_ask:
    "Una aplicación registrada necesita además los scopes entre sus propios scopes permitidos. «Cualquier cliente» incluye los que no están registrados aquí.",
  access_token_signing_alg: "Si no se elige, RS256, que entiende cualquier biblioteca.",
  sign_in_claims:
    "Los tokens de acceso y la introspección contienen acr, amr y auth_time si los piden todas las API del token.",
  trailing_slash_alias: "Para clientes que añaden o quitan la barra al final de la ruta.",
  api_active:
    "Al desactivarla no se emiten más tokens para ella, y la introspección da por inactivos los que hay. Un programa que solo comprueba firmas los acepta hasta que caducan.",
  endpoint_active:
    "Mientras está desactivado, no se le envían eventos. Al activarlo de nuevo, su página pregunta desde dónde continuar.",
  active:
    "Al desactivarlo deja de funcionar en todas partes, y sus tokens y sesiones se revocan de inmediato.",
  activates_in:
    "Los clientes y las API deben haber obtenido la clave nueva antes de que firme: 10 minutos es lo habitual.",
  allowed_grants: "Cómo puede obtener tokens la aplicación. Elige solo los que use.",
  allowed_response_types: "Uno por línea. Solo se admite code.",
  allowed_scopes: "Separados por espacios, comas o líneas. La aplicación puede pedir estos y ningún otro.",
  app_id: "El ID de cliente, el nombre o el ID de la aplicación.",
  app_type: "De él depende qué URI de redirección se permiten.",
  claims_in_id_token:
    "Añade al ID token los claims de los scopes profile y email. El punto de información del usuario los devuelve siempre.",
  client_assertion_audience:
    "El aud aceptado en las aserciones de la aplicación. Elige el segundo solo para una biblioteca que no pueda enviar el emisor.",
  client_id: "Si lo dejas vacío, se crea uno. Después no cambia.",
  created_by: "El correo, el nombre o el ID del usuario.",
  new_created_by: "El correo, el nombre o el ID del usuario. Si lo dejas vacío, eres tú.",
  current_password: "Hace falta cuando cambias tu propio correo o tu contraseña.",
  default_scopes:
    "Separados por espacios, comas o líneas, de entre los permitidos. Los recibe una máquina que no pide ninguno. Vacío, recibe todos.",
  expire_others_in:
    "Mientras tanto, los secretos anteriores valen además del nuevo; 0 los revoca ya. Vacío, se conservan.",
  expires_at: "En UTC. Si lo dejas vacío, no caduca.",
  first_party: "No se pide consentimiento a los usuarios. Solo para aplicaciones propias.",
  id: "Si lo dejas vacío, se crea uno.",
  id_token_signed_response_alg: "Si no se elige, RS256, que entiende cualquier biblioteca.",
  jwk: "Un objeto JSON, en lugar de la clave en PEM.",
  jwks: 'Un objeto JSON como { "keys": [ … ] } con claves públicas de la aplicación, 10 como máximo. Nunca una clave privada.',
  jwks_uri:
    "Una dirección https donde la aplicación publica sus claves públicas, en lugar de las propias claves.",
  key_id: "Si lo dejas vacío, se crea uno. Las aserciones se refieren a la clave con este ID.",
  logo_url: "Una dirección https. Las páginas muestran la imagen junto al nombre.",
  metadata:
    "Otros campos, como objeto JSON. El servidor solo lee resource, resources, refresh_reuse_window y scope_descriptions.",
  organization_id: "El nombre, el slug o el ID de la organización.",
  key_organization_id: "El nombre, el slug o el ID de la organización. Si lo dejas vacío, la clave es tuya.",
  owner_id: "El correo, el nombre o el ID del usuario.",
  new_owner_id: "El correo, el nombre o el ID del usuario. Si lo dejas vacío, eres tú.",
  new_who_may_sign_in:
    "Si no eliges nada, una aplicación de una organización es para sus miembros, y cualquier otra, para todos los usuarios.",
  password: "Larga y difícil de adivinar.",
  new_password: "Déjala vacía si la persona entra de otra manera.",
  permissions: "Además de lo que da la función.",
  granted_scopes: "Elige solo lo que el programa necesita.",
  post_logout_redirect_uris:
    "Una por línea, comparadas carácter por carácter. Solo allí se vuelve tras cerrar sesión.",
  plan: "El nivel de suscripción, para su propia facturación. Nada en este servidor depende de él.",
  profile:
    "Un conjunto de reglas que se impone a la aplicación. FAPI 2.0 exige autenticación con una clave y URI de redirección https.",
  public:
    "Para aplicaciones que no pueden guardar un secreto: en un navegador o en un dispositivo. Las protege PKCE.",
  public_key_pem: "Si la dejas vacía, se crea un par y su clave privada se muestra una sola vez.",
  command_line_redirect_uris:
    "Una por línea. http://127.0.0.1/callback vale en cualquier puerto; el programa escucha allí mientras la persona inicia sesión.",
  native_redirect_uris:
    "Una por línea: com.example.app:/callback, o http://127.0.0.1/callback en cualquier puerto. Una dirección https se compara de forma exacta.",
  own_scopes:
    "Separados por espacios, comas o líneas. El scope api es solo un ejemplo: nombra lo que el programa puede hacer, con tus palabras.",
  redirect_uris:
    "Una por línea, comparada carácter a carácter: https://tienda.example/callback, y http://localhost:8080/callback durante el desarrollo. Los códigos de autorización solo se envían a estas direcciones.",
  refresh_token_rotation:
    "Cada uso da un token de renovación nuevo; si alguien roba uno, se nota al presentarse dos veces.",
  refresh_token_ttl: "Después hay que iniciar sesión de nuevo: 7 días es lo habitual.",
  require_pushed_authorization_requests:
    "Las solicitudes de autorización de la aplicación se rechazan si no las envió antes por adelantado (RFC 9126).",
  resources:
    "Una por línea: identificadores de API que nombran a sus aplicaciones. Las abiertas a aplicaciones registradas no hacen falta.",
  role: "Los roles propios se indican en los otros roles.",
  scopes: "Separados por espacios, comas o líneas.",
  secrets: "Una lista JSON de textos. Vacía, se crea un secreto salvo que la aplicación sea pública.",
  service_account_id: "El correo, el nombre o el ID de la cuenta de servicio.",
  settings: "Otros campos, como objeto JSON.",
  slug: "Minúsculas, cifras y guiones. Aparece en direcciones.",
  successor:
    "El correo, el nombre o el ID de quien se hace cargo de las aplicaciones y cuentas de servicio de organizaciones.",
  token_endpoint_auth_method:
    "El único método con el que puede autenticarse la aplicación. Vacío: un secreto, o ninguno si es pública.",
  token_endpoint_auth_signing_alg:
    "Se rechazan las aserciones firmadas con otro. Déjalo vacío para aceptar cualquiera que encaje con una clave de la aplicación.",
  group_id: "El nombre o el ID del grupo.",
  user_id: "El correo, el nombre o el ID del usuario.",
  value: "Si lo dejas vacío, se crea un secreto y se te muestra una sola vez.",
  role_ids: "Roles de la organización o del servidor, por nombre o ID, uno por línea.",
  offered_role_ids: "Roles de la organización y del servidor.",
  app_role_ids: "Roles en API, por ID o como API y nombre, uno por línea: https://orders.example#clerk.",
  offered_app_role_ids: "Roles en API, cada uno como API y nombre.",
  role_permissions: "Palabras de tu aplicación, una por línea, como orders:edit. Los tokens las contienen.",
  organization_mode:
    "En las dos últimas opciones vale la que nombra la solicitud; si no, la única del usuario o la que elija. La última rechaza a quien no tiene ninguna.",
  claims_dialect:
    "Añade los claims de organización, roles y grupos que esperan las bibliotecas de ese producto.",
  claims:
    'Un objeto JSON con los claims y dónde aparecen, como { "roles": ["access_token", "introspection"] }. Los claims de la pertenencia que no nombra aparecen en todas partes; los atributos, en ninguna.',
  api_claims:
    'Un objeto JSON que limita dónde aparecen los claims para esta API, como { "roles": ["introspection"] }. Los que no nombra no se limitan.',
  who_may_sign_in:
    "Cuenta la pertenencia a la organización de la aplicación o, si no tiene ninguna, a cualquiera activa.",
  sign_in_roles:
    "Nombres, uno por línea, también los predefinidos. Solo se usan si se exige un rol para entrar.",
  sign_in_groups: "Nombres visibles, uno por línea. Solo se usan si se exige un grupo para entrar.",
  attribute_name:
    "Minúsculas, cifras y guiones bajos. Los nombres predefinidos son preferred_username, given_name, family_name, locale y zoneinfo. No se puede cambiar después.",
  attribute_label: "Cómo lo llaman los formularios. Vacío: el nombre.",
  attribute_organization_id: "Vacío: un atributo de todo el servidor.",
  pattern: "Lo que debe cumplir el valor entero, como [A-Z]{2}[0-9]{4}. En una lista, cada entrada.",
  max: "El máximo de caracteres de un texto, de entradas de una lista, o el número mayor.",
  writers:
    "Los usuarios solo escriben sus propios valores; los administradores, los de registros que pueden cambiar.",
  readers_in_organization: "Los usuarios solo leen sus propios valores.",
  readers: "Los usuarios solo leen sus propios valores. Los administradores de la plataforma leen todos.",
  claim: "Las aplicaciones y las API eligen además si aparece y dónde. Vacío: no aparece en los tokens.",
  attribute_scopes: "Cada uno de estos scopes da acceso al claim. Separados por espacios, comas o líneas.",
  role_organization_id: "Vacío: un rol que puede asignar cualquier organización.",
  descriptions: 'Un objeto JSON por idioma, como { "de": "Bearbeitet Bestellungen" }.',
  app_role_scopes: "Los scopes de la API que concede el rol. Separados por espacios, comas o líneas.",
  role_bound: "Los usuarios solo reciben los scopes de sus roles en la API.",
  external_id: "El identificador que dio al grupo un directorio o una importación.",
  url: "Una dirección https de tu programa. Responde a cada evento con un estado 2xx.",
  types: "No elijas ninguno para recibir todos los tipos.",
  endpoint_organization_id: "Vacío: recibe los eventos de todo el servidor.",
  include:
    "El usuario, la organización o la aplicación del evento, tal como la API lo muestra al propietario del destino al enviarlo, hasta 20 kB.",
  internal: "Solo direcciones que indica POSTERN_OUTBOUND_ALLOW. Entonces se permite también http.",
  backchannel_logout_uri:
    "Una dirección https de la aplicación. Recibe un token de cierre firmado cuando termina una sesión.",
  require_pkce:
    "Rechaza las solicitudes de autorización sin code challenge. Las aplicaciones públicas siempre lo necesitan.",
  session_expiry_in_id_token:
    "Añade el claim session_expiry para que la aplicación termine su propia sesión al mismo tiempo.",
  email_as_username: "Para los usuarios sin el atributo preferred_username.",
  hash: "En lugar del secreto, para trasladar aquí una aplicación desde otro sistema.",
};
