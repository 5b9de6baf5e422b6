import { durationIn } from "../../html/formats.ts";
import type { FieldErrorSentences } from "../parts/sentences.ts";
import { fieldLabels } from "./field_labels.ts";
import { esNoun, esNouns } from "./resource_types.ts";

function spelled(field: string): string {
  return field === "email" ? "correo" : field;
}

function owned(apps: number, service_accounts: number): string {
  const counted = (count: number, one: string, many: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  return [
    ...counted(apps, esNouns.app.one, esNouns.app.many),
    ...counted(service_accounts, esNouns["service account"].one, esNouns["service account"].many),
  ].join(" y ");
}

export const fieldErrors: FieldErrorSentences = {
  required: "es obligatorio",
  required_text: "es obligatorio, como texto",
  not_null: "no puede faltar",
  empty: "no puede estar vacío",
  taken: "ya está en uso",
  repeated: "no puede repetirse",
  server_set: "lo fija el servidor",
  unknown_field: "no es un campo de este registro",
  not_taken: "aquí no se acepta",
  not_of_import: "ya existe y no lo creó esta importación: cambie su nombre en el archivo o aquí",
  listed_by_apis: ({ names }) =>
    `no puede cambiar mientras haya API de la organización que incluyan la aplicación: quítela de app_ids de ${names.join(", ")}`,
  not_applied: ({ record }) =>
    `es el nombre de ${esNoun("a", record)} que ningún manifiesto creó con este nombre: ejecuta antes postern apply con la exportación del otro servidor`,
  only_of_source: ({ source }) => `solo se acepta con el origen ${source}`,
  deleted_after_import: "se eliminó aquí después de importarse y sigue eliminado",
  in_the_future: "no debe estar en el futuro",

  not_string: "debe ser un texto",
  not_text: "debe ser un texto que no esté vacío",
  not_integer: "debe ser un número entero",
  not_boolean: "debe ser true o false",
  not_time: "debe ser una hora como 2026-01-31T12:00:00Z",
  not_uuid: "debe ser un UUID",
  not_list: "debe ser una lista",
  not_list_of_strings: "debe ser una lista de textos",
  not_list_of_objects: "debe ser una lista de objetos",
  not_object: "debe ser un objeto",
  not_json: ({ line, column }) => `debe ser JSON; el error está en la línea ${line}, columna ${column}`,
  not_signature: "debe tener 32 bytes",
  not_one_of: ({ values }) => `debe ser uno de: ${values.join(", ")}`,
  not_event_type: ({ similar }) =>
    `no es un tipo de evento; ${similar.length > 0 ? `similares: ${similar.join(", ")}` : "un ejemplo es user.created"}`,
  unstorable: "no puede contener NUL ni Unicode incorrecto",
  invisible_characters: "no debe contener caracteres de control, de dirección ni invisibles",

  too_short: ({ characters }) => `debe tener ${characters} caracteres como mínimo`,
  too_long: ({ characters }) => `debe tener ${characters} caracteres como máximo`,
  too_many_bytes: ({ bytes }) => `debe tener ${bytes} bytes como máximo`,
  too_small: ({ min }) => `debe ser ${min} como mínimo`,
  too_large: ({ max }) => `debe ser ${max} como máximo`,
  out_of_range: ({ min, max }) => `debe ser un entero de ${min} a ${max}`,
  too_many_to_sort: ({ max }) => `ordena ${max} registros como máximo; filtra antes la lista`,
  not_one_beginning: "indique solo uno: event_id, after o since",
  too_many_records: ({ max }) => `sobra: puede haber ${max} registros de este tipo como máximo`,
  too_many_endpoints: ({ max }) => `una organización o el servidor tiene como máximo ${max} destinos`,
  needs_events: "necesita POSTERN_EXTRA_FEATURES=events",
  before_oldest: ({ position }) => `la posición más antigua es ${position}`,
  after_newest: ({ position }) => `la posición más reciente es ${position}`,
  search_too_wide: ({ max }) => `coincide con más de ${max} nombres; escribe más del nombre`,
  more_than_quota: ({ max }) =>
    `deben ser como máximo ${max}: cada una cuenta como una de las ${max} solicitudes por minuto`,
  out_of_page_range: ({ max }) => `debe ser un número entero de 1 a ${max}`,
  too_deep: ({ levels }) => `no puede anidarse más de ${levels} niveles`,
  list_out_of_range: ({ min, max }) => `debe ser una lista de ${min} a ${max} elementos`,
  list_too_long: ({ items, characters }) =>
    `debe tener ${items} elementos como máximo, de ${characters} caracteres como máximo`,

  not_email: "debe ser una dirección de correo",
  not_mail_domain: "debe ser un dominio de correo electrónico, por ejemplo example.com",
  not_slug: "deben ser letras minúsculas, cifras y guiones",
  not_domain: "debe ser un nombre de dominio como example.com, los internacionales como A-labels (xn--…)",
  reserved_slug: "está reservado",
  retired_slug:
    "fue el nombre de un proveedor eliminado con otro emisor o con otras direcciones: solo un administrador de la plataforma puede volver a usarlo",
  not_p256_private_key: "debe ser una clave privada para la curva P-256, como PKCS #8 en PEM",
  slug_without_provider: "no puede indicarse: ningún proveedor tiene este slug",
  retired_provider: "es el nombre de un proveedor que se eliminó",
  not_provider_of_slug: "no es el proveedor que tiene este slug",
  needed_by_preset: ({ preset }) => `hace falta para un proveedor del tipo ${preset}`,
  not_of_preset: ({ preset }) => `no es un ajuste de los proveedores del tipo ${preset}`,
  slug_of_preset: ({ preset }) => `está reservado para proveedores del tipo ${preset}`,
  fixed_while_linked: ({ links }) => `no cambia mientras haya cuentas vinculadas (${links})`,
  still_linked: ({ links }) => `hay cuentas vinculadas (${links}): elimínalo por separado, con links=delete`,
  not_client_id: "deben ser caracteres ASCII visibles y espacios",
  reserved_client_id: "está reservado para este mismo servidor",
  client_id_is_address:
    "no debe empezar por https://: esa forma está reservada para clientes con un documento de metadatos",
  client_id_like_id: "no puede ser un UUID; déjalo vacío y se creará uno",
  not_http_url: "debe ser un URL http o https",
  not_scope: "debe ser un scope: ASCII imprimible sin espacio, comillas ni barra invertida",
  not_response_type: "debe ser code",
  not_resource: "debe ser un URI absoluto sin fragmento",
  scope_of_server: "lo define este servidor y no una API",
  scope_not_of_api: "debe ser uno de los scopes de la API",
  reserved_role: ({ values }) => `no debe parecerse a un rol integrado (${values.join(", ")})`,
  custom_role: `es un rol personalizado: añádelo a “${fieldLabels.role_ids}” (role_ids)`,
  not_trimmed: "no debe empezar ni terminar con un espacio",
  contains_comma: "no debe contener comas",
  uuid_as_name: "no debe ser un UUID",
  not_permission_word: "debe ser ASCII imprimible, sin espacios, comillas ni barras invertidas",
  reserved_identifier: "es una dirección de este mismo servidor o está reservado para él",
  not_list_of_resources: "debe ser una lista de URI absolutos",
  not_colour: "debe ser un color como #0e6655",
  not_picture: ({ url_characters, picture_characters }) =>
    `debe ser un URL https de ${url_characters} caracteres como máximo, o una imagen data:image/png;base64 de ${picture_characters} como máximo`,
  not_visible_text: ({ characters }) =>
    `debe ser un texto de ${characters} caracteres visibles como máximo, no vacío`,
  unknown_brand_member: "no forma parte de una marca",
  not_description: ({ characters }) =>
    `debe ser un texto de 1 a ${characters} caracteres sin caracteres de control`,
  not_description_or_object: ({ characters }) =>
    `debe ser un texto de 1 a ${characters} caracteres sin caracteres de control, o un objeto`,
  no_language: "debe nombrar un idioma",
  not_language_tag: "debe ser una etiqueta de idioma como en",

  not_attribute_name: "debe constar de minúsculas, dígitos y guiones bajos, y empezar por una letra",
  not_claim_name: "debe constar de letras ASCII, dígitos y . _ - : /, y empezar por una letra",
  reserved_claim: ({ claim }) =>
    `no se acepta: los tokens ya usan el claim ${claim}, o un nombre que se le parece`,
  not_pattern:
    "debe constar de caracteres, clases como [a-z] y repeticiones como {2,8}, sin grupos ni alternativas",
  not_of_pattern: ({ pattern }) => `debe ajustarse al patrón ${pattern}`,
  not_number: "debe ser un número",
  not_date: "debe ser una fecha como 2026-11-28",
  used_by_organizations: ({ definitions, records }) =>
    `lo usan organizaciones (definiciones: ${definitions}, registros con un valor: ${records}): elimina esos usos o elige otro nombre`,
  no_attribute: ({ names }) =>
    `no es un atributo de este tipo de registro: defínelo o usa uno de estos: ${names.join(", ")}`,
  no_searchable_attribute: ({ names }) =>
    `debe ser un atributo que admita búsquedas y un valor, como department:Sales; ${names.length === 0 ? "ningún atributo las admite" : `las admiten: ${names.join(", ")}`}`,
  no_provided_attribute: ({ names }) =>
    `debe ser un atributo de usuarios que solo escriban los proveedores${names.length === 0 ? ": defínelo antes" : `: ${names.join(", ")}`}`,
  claim_of_protocol: ({ claim }) =>
    `se rechaza: la declaración ${claim} pertenece al protocolo o a la valoración de direcciones`,
  provider_alone: "debe contener únicamente provider, y solo en atributos de usuarios y membresías",
  values_of_others:
    "no puede pasar a provider mientras haya registros con un valor de otro origen: elimine antes esos valores",
  claim_without_scope: "debe nombrar un scope: un claim sobre una persona necesita su consentimiento",
  attribute_of_users: "debe faltar: solo el servidor define atributos de los usuarios",
  written_by_admins: "no debe incluir user: los usuarios solo escriben atributos de su propio registro",
  fixed_for_standard: "es fijo en un atributo predefinido",
  address_not_own: "no puede ser un correo electrónico, salvo el propio y verificado del usuario",
  attribute_not_yours: "no puedes escribirlo: su definición dice quién lo escribe",

  not_printable_ascii: "debe ser ASCII imprimible sin espacios",
  wildcard: "no puede contener comodines: los URI de redirección se comparan como textos exactos",
  fragment: "no puede contener un fragmento",
  backslash: "no puede contener una barra invertida",
  not_absolute_uri: "debe ser un URI absoluto",
  no_host: "debe nombrar un host tras ://",
  user_information: "no puede contener un nombre de usuario ni una contraseña",
  response_parameter: ({ parameter }) =>
    `no puede llevar el parámetro ${parameter}: pertenece a la respuesta`,
  not_https: "debe ser https salvo que el host sea loopback",
  not_web_uri: "debe ser http o https salvo que la aplicación sea nativa",
  no_private_scheme: "debe tener un esquema de uso privado con un punto, como com.example.app:/",
  not_https_url: "debe ser una URL https sin datos de usuario ni fragmento",
  receives_no_notices:
    "debe tener un valor para que la aplicación reciba avisos de cierre de sesión; el servidor también necesita logout_notices en POSTERN_EXTRA_FEATURES",
  not_endpoint_url: `debe ser una URL https sin datos de usuario ni fragmento; http requiere “${fieldLabels.internal}” (internal), que activa un administrador de la plataforma`,
  not_notice_url: `debe ser una URL https sin datos de usuario ni fragmento; http requiere “${fieldLabels.backchannel_logout_internal}” (backchannel_logout_internal), que activa un administrador de la plataforma`,
  issuer_with_query: "no debe contener una consulta (?…), como todo emisor",
  not_loopback: "debe estar en 127.0.0.1, [::1] o localhost, con un puerto del 1 al 65535",
  foreign_scheme: "debe tener un esquema propio de la aplicación, en minúsculas y seguido de :/",

  password_too_short: ({ characters }) => `debe tener ${characters} caracteres o más`,
  password_too_long: ({ bytes }) => `debe tener ${bytes} bytes de UTF-8 como máximo`,
  password_too_common: "es demasiado común",
  not_password:
    'debe ser un texto, { "hash": "…" } de otro programa o { "argon2id": "$argon2id$…" } con parámetros asumibles',
  unusual_totp: "debe ser un URI otpauth con SHA-1, 6 dígitos y 30 segundos",
  unusual_passkey: "debe ser una llave de acceso con clave Ed25519, P-256 o RSA que no tenga otra cuenta",
  passkey_without_handle: "necesita webauthn_user_handle de 32 bytes, o solo sirve como segundo factor",
  external_id_missing: "es obligatorio, o un id",
  appoints_nobody: "no se importa: una importación no nombra administradores de la plataforma",
  other_person: "no coincide con el usuario ya importado de este origen con este external_id",
  passkey_of_other_host: ({ host }) => `debe ser para el host de este servidor, ${host}`,
  foreign_hash: ({ scheme, part, byte, reason }) =>
    `no es un hash que se pueda comprobar: ${scheme}: ${part} en el byte ${byte} ${reason}`,
  password_is_hash:
    'es el hash de una contraseña y no su texto; importa un hash Argon2id como { "argon2id": "$argon2id$…" }, y con cualquier otro envía un enlace para restablecerla',
  secret_is_hash: "es un hash y no el texto de un secreto; crea un secreto nuevo",
  current_password_missing: "debe darse junto con una contraseña nueva o un correo nuevo",
  current_password_needless: "solo hace falta con una contraseña nueva o un correo nuevo",
  current_password_wrong: "no es correcta",
  public_app: "es una aplicación pública, que no tiene secreto",
  secret_of_public_app: "no puede indicarse: una aplicación pública no tiene secreto",
  same_secret: ({ number }) => `es el mismo secreto que el número ${number}`,
  method_of_confidential_app:
    "debe ser none o no indicarse: una aplicación pública no tiene con qué identificarse",
  method_of_public_app: "es solo para aplicaciones públicas",

  private_key: "debe ser una clave pública; esta clave privada quedó expuesta y hay que reemplazarla",
  not_pem: "debe ser una clave pública en PEM",
  not_jwk: "debe ser un JWK",
  not_public_jwk: "debe ser un JWK público con kty RSA (n, e) o EC (crv, x, y)",
  unsupported_key: "debe ser una clave RSA o una clave de la curva P-256, P-384 o P-521",
  key_too_short: ({ bits, actual }) => `debe tener ${bits} bits o más; esta clave tiene ${actual}`,
  key_too_long: ({ bits, actual }) => `debe tener ${bits} bits como máximo; esta clave tiene ${actual}`,
  unusual_exponent: "debe tener un exponente público impar de 65537 a 4294967296",
  keys_missing: "es obligatorio si no se indica jwks_uri: la aplicación se autentica con su propia clave",
  no_key_of_algorithms: ({ algorithms }) => `no tiene ninguna clave que firme con ${algorithms.join(" o ")}`,
  public_by_profile: "debe ser false: el perfil no admite aplicaciones públicas",
  redirect_insecure: "debe ser una URL https cuyo host no sea loopback, como exige el perfil",
  not_switched_on: ({ names }) => `necesita ${names.join(", ")}, que los ajustes del servidor no activan`,
  not_type_of_key: ({ key_type }) => `debe ser ${key_type}, como la clave`,
  not_algorithm_of_key: ({ algorithms }) => `debe ser ${algorithms.join(" o ")} para esta clave`,
  algorithm_of_other_type: ({ key_type }) => `no encaja con una clave de tipo ${key_type}`,
  key_id_repeated: "es el mismo que el de un par de claves anterior",
  not_key_set: 'debe ser un conjunto JWK: { "keys": [ … ] }',
  too_many_keys: ({ keys }) => `debe tener como máximo ${keys} claves`,
  no_signing_key: ({ algorithm }) =>
    `aún no tiene clave en este servidor; la crea una persona administradora de la plataforma con postern keys rotate --algorithm ${algorithm}`,
  key_id_missing: "debe indicarse cuando hay más de una clave",
  key_id_of_earlier_key: "es el mismo que el de una clave anterior",
  unsupported_client_key: "debe ser una clave RSA o una clave de la curva P-256, P-384, P-521 o Ed25519",
  id_of_other_key_pair: "ya lo usa otro par de claves",

  immutable: "no puede cambiar después de crearse",
  fixed: "no puede cambiar",
  fixed_for_key: "no puede cambiar: crea otra clave",
  fixed_for_membership: "no puede cambiar: crea otra membresía",
  fixed_for_secret: "no puede cambiar: crea otro secreto",
  not_by_document: "debe ser metadata_document",
  not_for_open_client: "no se puede fijar en un cliente abierto",
  fixed_for_linked_account: "no puede cambiar: vincula otra cuenta",
  fixed_for_link_in_file: "no puede cambiar: quita antes el vínculo",
  key_revoked: "no puede cambiar: una clave se revoca para siempre",
  key_pair_revoked: "no puede cambiar: un par de claves se revoca para siempre",
  app_revoked: "no puede cambiar: una aplicación se revoca para siempre",

  excluded_by: ({ field }) => `no puede acompañar a ${field}`,
  scope_not_allowed: "debe ser uno de allowed_scopes",
  not_factor_of_user: "no es ninguna llave de acceso ni aplicación de autenticación de este usuario",
  second_owner: "no puede acompañar a user_id: una clave tiene un solo dueño",
  no_owner: "debe indicarse, o bien organization_id",
  no_record: ({ record }) => `no hay ${esNoun("no", record)} con este id`,
  no_record_of_name: ({ record, field }) =>
    `no hay ${esNoun("no", record)} con este ${spelled(field)}, nombre o ID`,
  no_record_but: ({ record, field, names }) =>
    `no hay ${esNoun("no", record)} con este ${spelled(field)}, nombre o ID; parecidos: ${names.join(", ")}`,
  several_of_name: ({ field, names }) =>
    `no basta para saber cuál es: indica el ${spelled(field)}, por ejemplo ${names.join(", ")}`,
  no_user_of_email: "no hay ningún usuario con este correo",
  belongs_to_user: "ya pertenece a un usuario",
  not_in_consent: "no está en el consentimiento; solo su usuario puede ampliarlo",
  not_organization_member: "debe ser miembro de la organización",
  already_member: "es el de un miembro",
  not_yet_member: "puede darse cuando ya sea miembro",
  switched_off: "está desactivada",

  platform_only: "solo lo fija un administrador de la plataforma",
  platform_chooses: "solo lo elige un administrador de la plataforma",
  platform_adds_by_id:
    "solo un administrador de la plataforma añade personas por su id: da un correo y se les preguntará",
  full_credential_only:
    "solo se fija con una credencial de administrador de la plataforma que lo permita todo",
  own_full_credential_only: "solo se cambia con una credencial que permita todo lo que puedes hacer",
  others_full_credential_only:
    "de otra persona solo se cambia con una credencial de administrador de la plataforma que lo permita todo",
  administrator_full_credential_only:
    "de un administrador solo se activa con una credencial que lo permita todo",
  beyond_credential: "otorgaría más de lo que permite esta credencial",
  not_you: "debes ser tú",
  email_locked: ({ seconds }) =>
    `fue recuperada por su buzón anterior: durante ${durationIn(seconds, "es")} solo la cambia otra persona que administre`,
  self_switched_off: "no puedes desactivarte a ti mismo",
  own_in_manifest: "es tuyo, y un manifiesto no puede cambiarlo; cámbialo en tu cuenta",
  platform_switched_off: "lo desactivó un administrador de la plataforma: solo uno puede volver a activarlo",
  name_of_switched_off: "no cambia mientras un administrador de la plataforma tenga la cuenta desactivada",
  not_manager_of_both: "solo lo cambia quien es propietario o administrador de ambas organizaciones",
  no_permission_there: ({ permission }) => `debe ser una en la que tengas ${permission}`,
  role_above: "está por encima del tuyo",
  role_above_or_beyond: "está por encima del tuyo, u otorga lo que no tienes",
  role_beyond: ({ permissions }) => `otorgaría lo que no tienes: ${permissions.join(", ")}`,
  permission_not_held: "es un permiso que no tienes",
  scope_of_no_app: "no lo tiene permitido ninguna aplicación por la que puedas otorgarlo",
  scope_reserved: "está reservado: solo lo otorga un administrador de la plataforma",
  scope_beyond_owner: "va más allá de lo que puede hacer su dueño",
  scope_beyond_you: "va más allá de lo que puedes hacer",
  scope_without_owner: "no tiene efecto: la clave no tiene dueño",
  scope_defined_elsewhere: "ya lo define otro propietario: solo lo otorga un administrador de la plataforma",
  identifier_beyond_organization:
    "debe estar por debajo de una API de la organización o de urn:postern:organization: y su identificador; otros solo los registra un administrador de la plataforma",
  app_of_other_organization: "debe ser una aplicación de la organización propietaria de la API",
  resource_not_yours:
    "debe ser una API que puedas modificar; las demás solo las abre su propietario a la aplicación",
  resources_beyond_organization:
    "puede nombrar lo que son las aplicaciones de la organización; más solo lo permite un administrador de la plataforma",
  vouched_for:
    "está protegido porque la aplicación es first_party: solo un administrador de la plataforma puede cambiarlo",
  vouched_for_secrets:
    "es una aplicación first_party: solo un administrador de la plataforma puede añadirle secretos",

  json_name_repeated: "aparece dos veces en su objeto",
  json_name_reserved: "no sirve como nombre de un campo",
  json_number_inexact: "es un número que no puede guardarse con exactitud",
  unknown_filter: ({ filters }) => `no es un filtro de esta lista; los hay por ${filters.join(", ")}`,
  unknown_parameter: "no es un parámetro de esta solicitud",
  no_pages: "aquí no se acepta: una exportación no tiene páginas",

  now_empty: "se ha vaciado entretanto",
  now: ({ value }) => `ahora es ${value}`,

  not_manifest: ({ reason }) => `esto no es JSON ni YAML (${reason})`,
  unresolved_aliases: "sus alias no pueden resolverse",
  not_sections: "debe ser un objeto de secciones",
  unknown_section: ({ sections }) => `no es una sección; las hay de ${sections.join(", ")}`,
  given_by_name: ({ name }) => `se da por su nombre, como ${name}`,
  not_name_of_record: ({ record, field }) => `debe ser el ${spelled(field)} de ${esNoun("a", record)}`,
  no_record_called: ({ record, field, name }) =>
    `no hay ${esNoun("no", record)} con el ${spelled(field)} ${JSON.stringify(name)}`,
  ambiguous: ({ count, record }) =>
    `es obligatorio: el dueño tiene ${count} ${esNouns[record].many} con este nombre`,
  not_of_manifest: ({ record, id }) =>
    `ya es el nombre de ${esNoun("a", record)} que ningún manifiesto creó con este nombre: si confías en su configuración y sus credenciales, añade "id": "${id}" a la entrada`,
  name_moved: ({ record, id, was }) =>
    `designaba en un manifiesto anterior ${esNoun("the", record)} ${was}, pero ahora es el nombre de ${esNoun("other", record)}: si confías en este registro, añade "id": "${id}" a su entrada`,
  other_id: ({ record, id }) =>
    `no coincide con el id de ${esNoun("the", record)} existente, ${id}: quita "id" de la entrada`,
  same_record: ({ record, path }) => `es ${esNoun("same", record)} que ${path}`,
  last_administrator: "es el último administrador activo de la plataforma: crea otro antes",
  last_owner: ({ organization }) => `es el último propietario de ${organization}: nombra otro antes`,
  still_owns: ({ apps, service_accounts }) =>
    `aún es dueño de ${owned(apps, service_accounts)}: nombra otro dueño en el archivo, o quítalas antes`,
  still_has: ({ apps, service_accounts }) => `aún tiene ${owned(apps, service_accounts)}: quítalas antes`,
  resource_of_other_app: ({ client_id }) =>
    `tiene un metadata.resource que ya tiene la aplicación ${client_id}: la introspección las distingue por él`,
};
