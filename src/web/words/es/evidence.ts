import type { EvidenceWords, FactWords } from "../en/evidence.ts";

export const evidenceWords: EvidenceWords = {
  redirect_uri: {
    what: "La URI de redirección no es ninguna de las registradas",
    advice:
      "Registra exactamente esta dirección para la aplicación, o haz que envíe una de las registradas: cuenta cada carácter, también la barra final, el puerto y si es http o https.",
  },
  code_redirect_uri: {
    what: "La URI de redirección no es aquella con la que se pidió el código",
    advice:
      "Envía al punto de tokens el mismo redirect_uri que en la solicitud de autorización, carácter por carácter.",
  },
  post_logout_redirect_uri: {
    what: "La dirección a la que volver tras cerrar la sesión no está registrada",
    advice:
      "Añade exactamente esta dirección a post_logout_redirect_uris de la aplicación, o envía una que ya esté allí.",
  },
  client_id: {
    what: "Ninguna aplicación tiene este client_id",
    advice:
      "Compara el client_id de la configuración de la aplicación con el de su página aquí; busca espacios y entornos confundidos.",
  },
  client_id_differs: {
    what: "El formulario nombra a otro cliente que la cabecera Authorization",
    advice:
      "Quita client_id del formulario si la cabecera Authorization ya nombra al cliente, o haz que coincidan.",
  },
  client_document: {
    what: "El documento de metadatos del cliente no se puede usar",
    advice:
      "Abre la dirección que es el client_id: el documento que hay allí tiene que cumplir draft-ietf-oauth-client-id-metadata-document, y la descripción del rechazo nombra la regla que incumple.",
  },
  client_inactive: {
    what: "La aplicación no se puede usar en este momento",
    advice:
      "Vuelve a activar la aplicación o su organización; una aplicación revocada sigue revocada y hay que crear otra en su lugar.",
  },
  client_authentication: {
    what: "El cliente usó un método de autenticación para el que no está registrado",
    advice:
      "Configura la biblioteca con uno de los métodos esperados; una aplicación sin secreto usa none, y las demás, su secreto.",
  },
  two_methods: {
    what: "El cliente usó dos métodos de autenticación a la vez",
    advice: "Envía el secreto en la cabecera Authorization o en el formulario, nunca en ambos.",
  },
  client_secret: {
    what: "El secreto del cliente no es correcto",
    advice:
      "Crea un secreto nuevo en la página de la aplicación y ponlo entero en su configuración, sin espacios ni saltos de línea alrededor.",
  },
  client_secret_expired: {
    what: "Secretos de esta aplicación que han caducado",
    advice: "Si la aplicación todavía usa uno de estos, dale uno más nuevo.",
  },
  client_secret_revoked: {
    what: "Secretos de esta aplicación que se revocaron",
    advice: "Si la aplicación todavía usa uno de estos, dale uno más nuevo.",
  },
  authorization_header: {
    what: "No se pudo leer la cabecera Authorization",
    advice:
      "Envía lo que se espera aquí: para un cliente, Basic y el base64 de client_id:client_secret; para un token de acceso, Bearer y el token; y un token en un solo sitio.",
  },
  scope: {
    what: "Se pidió más de lo permitido",
    advice: "Pide menos permisos, o añade los marcados a los permitidos de la aplicación.",
  },
  scope_of_user: {
    what: "Se pidió un permiso sobre una persona donde no hay ninguna",
    advice:
      "Quita estos permisos: con una máquina nadie inicia sesión. Para personas, usa la concesión de código de autorización.",
  },
  scope_lacking: {
    what: "Al token de acceso le falta un permiso",
    advice: "Pide el permiso marcado en la solicitud de autorización para que el token lo lleve.",
  },
  resource: {
    what: "Este recurso no se puede pedir",
    advice:
      "Pide un recurso de los esperados, o permite que se pida su API: a más clientes o nombrándola en la aplicación.",
  },
  audience: {
    what: "El token de acceso es para otro destinatario",
    advice: "Usa aquí un token pedido sin resource, y el otro en el recurso al que va dirigido.",
  },
  grant_type: {
    what: "Este servidor no conoce el tipo de concesión",
    advice: "Envía uno de los tipos de concesión esperados, exactamente como aparece.",
  },
  allowed_grants: {
    what: "La aplicación no puede usar esta concesión",
    advice: "Añade la concesión a las permitidas de la aplicación, o usa una que tenga.",
  },
  allowed_response_types: {
    what: "La aplicación no puede usar este tipo de respuesta",
    advice: "Añade code a los tipos de respuesta permitidos de la aplicación.",
  },
  one_of: {
    what: "Un parámetro tiene un valor que no puede tener",
    advice: "Envía uno de los valores esperados, exactamente como aparece.",
  },
  missing: {
    what: "Falta un parámetro",
    advice: "Envíalo una vez, en el formulario de un POST o en la consulta de un GET, y no vacío.",
    adviceInForm:
      "Envíalo una vez, en el formulario del POST, y no vacío; lo que va en la dirección no se lee.",
    adviceInHeader: "Envía la cabecera con la solicitud, y no vacía.",
  },
  repeated: {
    what: "Un parámetro se envió más de una vez",
    advice:
      "Envíalo una vez. Busca si lo añaden a la vez una biblioteca y tu propio código, o si está en la consulta y en el formulario.",
    adviceInForm: "Envíalo una vez. Busca si lo añaden a la vez una biblioteca y tu propio código.",
  },
  malformed: {
    what: "Algo no se pudo leer",
    advice:
      "Codifica nombres y valores como application/x-www-form-urlencoded, en UTF-8, con una biblioteca y no a mano.",
  },
  not_supported: {
    what: "Este servidor no admite este parámetro",
    advice: "Quítalo y envía los parámetros de la solicitud directamente.",
  },
  content_type: {
    what: "El cuerpo no es un formulario",
    advice: "Envía los parámetros como application/x-www-form-urlencoded, no como JSON.",
  },
  method: {
    what: "Aquí no se admite ese método HTTP",
    advice:
      "Usa uno de los métodos esperados; a menudo una redirección, o abrir la dirección en el navegador, convierte un POST en GET.",
  },
  too_large: {
    what: "La solicitud es demasiado grande",
    advice: "Envía menos; busca un state que haya crecido o un parámetro que contenga un documento entero.",
  },
  pkce_required: {
    what: "Falta el desafío de código de PKCE",
    advice:
      "Esta aplicación debe usar PKCE: haz que la biblioteca cree un code_verifier y envíe su code_challenge S256.",
  },
  pkce_method: {
    what: "El método del desafío de código no es S256",
    advice: "Envía code_challenge_method=S256, en mayúscula; plain no se acepta nunca.",
  },
  pkce_challenge: {
    what: "El desafío de código está mal formado",
    advice: "Envía el base64url del SHA-256 del verificador, sin relleno: 43 caracteres.",
  },
  pkce_verifier: {
    what: "El verificador de código no corresponde al código",
    advice:
      "Guarda el verificador de cada solicitud hasta que vuelva su código y envía ese; con varias pestañas o procesos hace falta un almacén común.",
  },
  length: {
    what: "Longitud del valor",
    advice:
      "Un code verifier tiene de 43 a 128 caracteres de A–Z a–z 0–9 - . _ ~. Un dpop_jkt tiene 43 caracteres en base64url.",
  },
  unknown_credential: {
    what: "Este servidor no conoce el código o token: nunca lo emitió o lo eliminó cuando caducó",
    advice:
      "Envíalo a tiempo, entero y sin cambios, tal como llegó; busca una doble decodificación, un texto cortado o un token de otro servidor.",
  },
  other_app: {
    what: "El código o token se emitió a otra aplicación",
    advice:
      "Canjéalo con el mismo client_id que lo pidió; busca dos entornos que compartan base de datos o cookie.",
  },
  already_used: {
    what: "El código o token ya se había usado",
    advice:
      "Cada uno sirve una vez. Deja que lo use un solo proceso y guarda lo que devolvió; no recargues un código del historial. Si no lo usó tu aplicación, puede estar robado: se revocaron todos los tokens emitidos a partir de él.",
  },
  expired: {
    what: "Ha caducado",
    advice:
      "Úsalo mientras dura: canjea los códigos al momento, los tokens de refresco antes de que terminen, y comprueba los relojes.",
  },
  revoked: {
    what: "Se había revocado",
    advice: "Haz que la persona vuelva a iniciar sesión desde la aplicación; el motivo dice qué le puso fin.",
  },
  ended: {
    what: "La sesión, el consentimiento o el registro al que pertenecía ya no está activo",
    advice:
      "Haz que la persona vuelva a iniciar sesión desde la aplicación; si la aplicación o la persona se desactivaron, actívalas antes.",
  },
  user_inactive: {
    what: "La persona no puede iniciar sesión en este momento",
    advice: "Vuelve a activar al usuario y pídele que inicie sesión de nuevo.",
  },
  not_signed_in: {
    what: "El usuario no había iniciado sesión",
    advice:
      "Lleva a la persona al inicio de sesión sin prompt=none; los navegadores que bloquean cookies de terceros no dejan que un marco oculto vea la sesión.",
  },
  auth_age: {
    what: "El inicio de sesión era más antiguo de lo permitido",
    advice:
      "Pídelo de nuevo sin prompt=none para que la persona pueda iniciar sesión, o permite un max_age mayor.",
  },
  acr_not_held: {
    what: "El inicio de sesión no alcanza el nivel que pide la aplicación",
    advice: "Pídelo de nuevo sin prompt=none para que el usuario pueda autenticarse con un nivel mayor.",
  },
  acr_unreachable: {
    what: "La cuenta no tiene nada con lo que alcanzar el nivel que exige la aplicación",
    advice:
      "Pide a la persona que añada un segundo factor o una llave de acceso a su cuenta, o haz que la aplicación exija menos (require_acr).",
  },
  other_user: {
    what: "La sesión es de otra persona que la que espera la aplicación",
    advice: "Pídelo de nuevo sin prompt=none o sin id_token_hint para que la persona pueda elegir la cuenta.",
  },
  organization: {
    what: "La aplicación pidió una organización de la que la persona no es miembro, o la persona tiene que elegir una",
    advice:
      "Nombra una organización de la persona por su id o slug, o pídelo de nuevo sin prompt=none para que pueda elegir.",
    adviceInForm: "Nombra una organización de la persona por su id o slug.",
  },
  not_admitted: {
    what: "La aplicación no admite a esta persona",
    advice:
      "Añade a la persona a una organización que la aplicación admita, con un rol o grupo que exija, o cambia who_may_sign_in u organization_mode de la aplicación.",
  },
  consent: {
    what: "La persona no ha permitido a la aplicación lo que pide",
    advice: "Pídelo de nuevo sin prompt=none para que se le pueda preguntar.",
    adviceInForm:
      "Lleva a la persona a /oauth/authorize con la misma organización para que se le pueda preguntar.",
  },
  denied: {
    what: "El usuario rechazó la solicitud",
    advice:
      "No hay nada roto: explica a la persona para qué necesita el acceso la aplicación y ofrécele volver a preguntar.",
  },
  consent_form: {
    what: "El formulario de consentimiento no correspondía a la solicitud",
    advice:
      "Hay que empezar de nuevo en la aplicación; la página estaba abierta en dos ventanas o desde hacía demasiado.",
  },
  pushed_request: {
    what: "La solicitud enviada por adelantado no se puede usar",
    advice:
      "Envía una solicitud para cada inicio de sesión y lleva a la persona enseguida, con el client_id que la envió; cada una vale para un solo código.",
  },
  push_required: {
    what: "La solicitud no se envió por adelantado",
    advice:
      "Envía primero los parámetros a /oauth/par y lleva a la persona con client_id y el request_uri de la respuesta, o desactiva que la aplicación deba hacerlo.",
  },
  foreign_form: {
    what: "El formulario no era de este servidor o era demasiado antiguo",
    advice:
      "Recarga la página y envía el formulario otra vez; las cookies de este servidor deben estar permitidas.",
  },
  dead_link: {
    what: "El enlace ha caducado o ya se ha usado",
    advice: "Pide uno nuevo: cada uno sirve una vez y durante un tiempo limitado.",
  },
  id_token_hint: {
    what: "El id_token_hint no es válido para esta aplicación",
    advice:
      "Envía entero el último id_token que este servidor emitió a este mismo cliente; se aceptan los caducados.",
  },
  sign_in: {
    what: "El inicio de sesión falló",
    advice:
      "La página de inicio de sesión no muestra la causa. Ayuda con la contraseña o activa al usuario solo cuando sepas quién lo pide.",
  },
  throttled: {
    what: "Había habido demasiados intentos",
    advice: "Espera a que pase el tiempo; después, una contraseña correcta borra los fallos.",
  },
  upstream: {
    what: "El proveedor externo envió una respuesta inesperada",
    advice:
      "Compara el valor con el registro del proveedor en este servidor y con la configuración del proveedor.",
  },
  assertion: {
    what: "La aserción no es válida",
    advice:
      "Crea una aserción nueva para cada solicitud: iss y sub la cuenta de servicio, aud este servidor, exp a cinco minutos como mucho, jti nuevo cada vez.",
  },
  assertion_key: {
    what: "La aserción no está firmada con una clave válida de la cuenta de servicio",
    advice:
      "Compara kid con las claves de la página de la cuenta de servicio y firma con una que esté activa allí.",
  },
  client_assertion: {
    what: "La aserción del cliente no es válida",
    advice:
      "Crea una aserción nueva para cada solicitud: iss y sub el client_id, aud el emisor de este servidor como un solo texto, exp a cinco minutos como mucho, jti nuevo cada vez.",
  },
  client_assertion_key: {
    what: "La aserción del cliente no está firmada con una clave de la aplicación",
    advice:
      "Compara kid con las claves públicas de la aplicación, o con las de su jwks_uri, y firma con una de ellas. Sin kid, exactamente una debe servir para alg.",
  },
  proof: {
    what: "La prueba DPoP no es válida",
    advice:
      "Crea una prueba nueva para cada solicitud con una biblioteca para RFC 9449: typ dpop+jwt, la clave pública como jwk, un jti nuevo y, junto a un token de acceso, su hash como ath.",
  },
  proof_address: {
    what: "La prueba DPoP es para otra dirección",
    advice:
      "Firma la dirección tal como la ven los clientes: la URL base de este servidor con la ruta de la solicitud, sin consulta.",
  },
  proof_clock_ahead: {
    what: "El reloj del cliente va adelantado respecto al de este servidor",
    advice: "Ajusta el reloj del cliente, o repite la solicitud con el nonce de la cabecera DPoP-Nonce.",
  },
  proof_clock_behind: {
    what: "El reloj del cliente va atrasado respecto al de este servidor, o la prueba se creó mucho antes de enviarse",
    advice: "Ajusta el reloj del cliente, o repite la solicitud con el nonce de la cabecera DPoP-Nonce.",
  },
  proof_key: {
    what: "La prueba DPoP está firmada con otra clave",
    advice:
      "Usa una sola clave desde la solicitud de autorización y consérvala tanto como los tokens; si se pierde, la persona inicia sesión de nuevo.",
  },
};

export const factWords: FactWords = {
  app_inactive: "la aplicación está desactivada",
  app_revoked: "la aplicación se revocó",
  organization_inactive: "la organización está desactivada",
  unknown: "no existe tal registro",
  inactive: "desactivado",
  ended: "terminado entretanto",
  user_ended: "la persona fue desactivada o cambió su contraseña",
  session_ended: "la persona cerró la sesión, o la sesión terminó",
  consent_ended: "la persona retiró lo que había permitido",
  membership_ended: "la persona ya no es miembro de la organización, o esta está desactivada",
  app_ended: "la aplicación o su organización fue desactivada o revocada",
  service_account_ended: "la cuenta de servicio o su organización fue desactivada",
  key_pair_ended: "la clave con la que firmó la cuenta de servicio fue revocada o eliminada",
  revoked: "revocado",
  expired: "caducado",
  begins_like_live: "empieza como un secreto válido y difiere después",
  begins_like_expired: "empieza como un secreto que ha caducado",
  begins_like_revoked: "empieza como un secreto que se revocó",
  begins_like_none: "no empieza como ninguno de los secretos de la aplicación",
  not_basic: "no es Basic y base64",
  no_colon: "sin dos puntos entre client_id y secreto",
  two_ways: "en la cabecera y en el formulario",
  not_shaped: "no tiene la forma de los de este servidor",
  not_issued: "tiene la forma correcta, pero aquí no se conoce",
  another_app: "otra aplicación",
  not_access_token: "otra clase de token",
  absent: "nada",
  not_asked_for: "un verificador, aunque no se había enviado ningún desafío",
  differs: "un verificador que da otro desafío",
  percent_encoding: "una codificación por porcentaje rota",
  nul: "un carácter NUL",
  not_utf8: "bytes que no son UTF-8",
  too_many: "demasiados parámetros",
  ended_early: "un cuerpo que terminó antes de tiempo",
  characters: "caracteres que no pueden estar ahí, o demasiados o demasiado pocos",
  unreadable: "un formulario que no hizo este servidor",
  other_session: "un formulario de otro inicio de sesión",
  too_old: "un formulario demasiado antiguo",
  answered: "un formulario que ya se había respondido",
  foreign_or_old: "ningún token de un formulario mostrado a este navegador",
  another_user: "otra persona",
  not_ours: "ningún id_token de este servidor",
  unknown_user: "ningún usuario tiene esta dirección de correo",
  inactive_user: "el usuario está desactivado",
  wrong_password: "la contraseña no era correcta",
  changed_meanwhile: "la contraseña se cambió en ese mismo momento",
  foreign_password_over: "la contraseña era correcta, pero las contraseñas importadas ya no sirven",
  passkey_refused: "la llave de acceso no pasó esta comprobación",
  not_a_jwt: "ningún JWT firmado en forma compacta",
  no_such_account: "no existe tal cuenta de servicio",
  no_such_key: "la cuenta de servicio no tiene ninguna clave con ese kid",
  no_key_fits: "ninguna clave de la aplicación corresponde a kid y alg",
  keys_unreachable: "el jwks_uri de la aplicación no dio ningún conjunto de claves",
  unverified: "la firma no es de la clave",
  used: "usado antes",
};
