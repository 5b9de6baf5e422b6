import type { ChecksWords } from "../en/checks.ts";

export const checksWords: ChecksWords = {
  lead: "Ajustes que funcionan y aun así son arriesgados, los peores primero.",
  clean: "Sin problemas",
  cleanLead: "Los ajustes de esta aplicación son los que recomienda la práctica de seguridad de OAuth.",
  unseenSecrets: "No puedes ver los secretos de esta aplicación, así que aquí no se dice nada de ellos.",
  levels: { danger: "Peligro", caution: "Atención", hint: "Conviene saberlo" },
  about: "Afecta a",
  source: "Fuente",
  edit: "Editar la aplicación",
  secrets: "Secretos de la aplicación",
  profile: {
    title: "Lo que exige el perfil",
    fits: "La aplicación encaja.",
    lacks: "Falta:",
    demands: {
      authentication_methods:
        "La aplicación se autentica con aserciones que firma (private_key_jwt), con una clave propia en jwks o en jwks_uri; sin secreto, y nunca como aplicación pública.",
      pushed_requests: "Envía antes sus peticiones de autorización a /oauth/par.",
      pkce: "Usa PKCE con S256.",
      bound_tokens: "Demuestra una clave con cada petición (DPoP), y sus tokens no sirven sin esa clave.",
      token_algorithms: "Sus tokens se firman con ES256, PS256 o EdDSA; RS256 no se usa.",
      client_algorithms: "Firma aserciones y pruebas con PS256, ES256 o EdDSA, nunca con RS256.",
      issuer_as_audience: "Sus aserciones nombran al emisor como audiencia, y nada más.",
      longest_code_ttl: "Sus códigos duran 60 segundos como máximo.",
      no_rotation: "Sus tokens de refresco no cambian.",
      https_redirects: "Sus URI de redirección son https, en servidores de la red.",
      redirect_uri_once: "Su petición de tokens puede omitir la URI de redirección.",
    },
  },
  risks: {
    app_revoked: {
      title: "La aplicación fue revocada",
      why: "No obtiene tokens, y nada puede recuperarla.",
      instead: "Registra una aplicación nueva, o borra esta cuando su historial ya no haga falta.",
    },
    app_inactive: {
      title: "La aplicación está desactivada",
      why: "No obtiene tokens, y los que tenía ya no valen.",
      instead: "Actívala cuando haga falta, o bórrala si no la hace.",
    },
    owner_inactive: {
      title: "Su propietario ya no puede iniciar sesión",
      why: "Nadie responde de una aplicación cuyo propietario se ha ido.",
      instead:
        "Dásela a alguien que siga aquí; un administrador de la plataforma puede cambiar el propietario.",
    },
    organization_inactive: {
      title: "Su organización está desactivada",
      why: "Ninguna aplicación de una organización inactiva obtiene tokens.",
      instead: "Activa la organización, o pasa la aplicación a otra.",
    },
    http_redirect: {
      title: "Los códigos viajan sin cifrar",
      why: "Con http sin cifrar, cualquiera en la ruta de red puede leer el código en la dirección.",
      instead: "Sirve la URI de redirección por https y quita la de http.",
    },
    wildcard_redirect: {
      title: "Una URI de redirección parece un patrón",
      why: "Las URI de redirección se comparan carácter por carácter: un comodín solo coincide consigo mismo.",
      instead: "Escribe cada dirección completa.",
    },
    scheme_without_dot: {
      title: "Un esquema que cualquiera puede reclamar",
      why: "Otra aplicación del dispositivo también puede registrar un esquema corto y recibir los códigos.",
      instead:
        "Usa una dirección https reclamada, o un esquema hecho con un dominio tuyo, como com.example.app:/cb.",
    },
    private_scheme: {
      title: "Un esquema de uso privado",
      why: "El sistema no prueba a qué aplicación pertenece, así que el consentimiento se pide cada vez.",
      instead:
        "Usa una dirección https reclamada (App Links, Universal Links) donde la plataforma lo permita.",
    },
    localhost_redirect: {
      title: "localhost en lugar de una dirección de bucle local",
      why: "El nombre puede resolverse a otro sitio, y el puerto de una dirección así no puede variar.",
      instead: "Registra http://127.0.0.1/… o http://[::1]/…, que valen con cualquier puerto.",
    },
    localhost_any_port: {
      title: "Cualquier puerto de localhost",
      why: "El nombre puede resolverse a otro sitio, y el programa que responda en un puerto de ahí recibe el código. Se pide consentimiento cada vez.",
      instead:
        "Usa http://127.0.0.1/… o http://[::1]/…, que valen con cualquier puerto sin ello, y desactiva localhost_any_port.",
    },
    development_redirect: {
      title: "Una dirección de desarrollo junto a las reales",
      why: "Cualquier programa del equipo de una persona puede escuchar ahí y recibir códigos de la aplicación real.",
      instead: "Registra otra aplicación para el desarrollo.",
    },
    redirect_with_query: {
      title: "Una URI de redirección con parámetros",
      why: "Debe enviarse exactamente así, y lo que lleva se presta a reenviar a la gente a otra parte.",
      instead: "Lleva en state lo que deba volver, y registra la dirección sin parámetros.",
    },
    shared_host_redirect: {
      title: "Un dominio donde cualquiera puede tener un nombre",
      why: "Cuando el nombre se abandona, otra persona puede quedárselo y recibir los códigos.",
      instead: "Usa un dominio propio, y quita las direcciones de los nombres abandonados.",
    },
    no_redirect_uris: {
      title: "Nadie puede iniciar sesión",
      why: "El flujo de código está permitido, pero no hay ninguna dirección a la que pueda volver el navegador.",
      instead: "Registra una URI de redirección, o quita la concesión de código de autorización.",
    },
    unused_redirect_uris: {
      title: "URI de redirección que nunca se usan",
      why: "La aplicación no puede usar el flujo de código, así que no sirven a nadie.",
      instead: "Quítalas, o permite la concesión de código de autorización.",
    },
    http_post_logout: {
      title: "Al cerrar sesión se vuelve por http sin cifrar",
      why: "Cualquiera que esté en el camino puede mostrar otra página en su lugar.",
      instead: "Pon una dirección https en post_logout_redirect_uris.",
    },
    profile_misfit: {
      title: "No encaja en su perfil",
      why: "El perfil exige lo que a esta aplicación le falta, así que se rechazan sus peticiones.",
      instead: "Cambia lo que nombra la lista de arriba o saca la aplicación del perfil.",
    },
    profile_overrules: {
      title: "Un ajuste que el perfil anula",
      why: "Lo decide el perfil, diga lo que diga la aplicación.",
      instead: "Quítalo para que no engañe a quien lo lea después.",
    },
    unusable_keys: {
      title: "Claves con las que no se puede firmar nada",
      why: "Firman con algoritmos que la aplicación o su perfil no permiten, como RS256.",
      instead: "Quítalas de jwks o regístralas para un algoritmo permitido.",
    },
    http_keys: {
      title: "Claves por http sin cifrar",
      why: "Por http, cualquiera en el camino puede poner sus claves en lugar de las de la aplicación.",
      instead: "Publica las claves por https o regístralas como jwks.",
    },
    keys_missing: {
      title: "Firma y no tiene clave",
      why: "La aplicación se autentica con aserciones que firma, y aquí no se conoce ninguna clave suya.",
      instead: "Registra sus claves públicas como jwks o la dirección donde las publica.",
    },
    keys_elsewhere: {
      title: "Las claves se publican en otro sitio",
      why: "La dirección de las claves públicas está en otro sitio que las URI de redirección. Quien controla ese sitio puede actuar como la aplicación.",
      instead: "Publica las claves en el sitio de la aplicación o regístralas como jwks.",
    },
    confidential_in_browser: {
      title: "Un secreto en un navegador",
      why: "Lo que sabe una página en el navegador lo puede leer cualquiera, también el secreto.",
      instead:
        "Haz pública la aplicación, que se apoya en PKCE; o guarda el secreto en un servidor que actúe por la página.",
    },
    confidential_native: {
      title: "Un secreto en una aplicación instalada",
      why: "Cualquiera que tenga la aplicación puede sacar de ella el secreto.",
      instead: "Haz pública la aplicación, que se apoya en PKCE.",
    },
    public_web: {
      title: "Una aplicación web sin secreto",
      why: "Una aplicación con servidor puede guardar un secreto, y sin él un refresh token robado no sirve.",
      instead: "Hazla confidencial; o dale el tipo spa si solo se ejecuta en el navegador.",
    },
    public_machine: {
      title: "Una máquina sin secreto",
      why: "Client credentials es un secreto; una aplicación pública no tiene ninguno y así no obtiene tokens.",
      instead: "Hazla confidencial, o quita la concesión client credentials.",
    },
    mixed_grants: {
      title: "Personas y máquinas en una sola aplicación",
      why: "Es fácil confundir un token de la propia aplicación con el de una persona.",
      instead: "Registra una aplicación para identificar a personas y otra para client credentials.",
    },
    no_grants: {
      title: "No se permite ninguna concesión",
      why: "La aplicación no puede obtener ningún token.",
      instead: "Permite la concesión que necesita.",
    },
    refresh_alone: {
      title: "Renovar sin iniciar sesión",
      why: "El refresh token viene del flujo de código, que esta aplicación no puede usar.",
      instead: "Quita la concesión de renovación, o permite la de código de autorización.",
    },
    public_without_rotation: {
      title: "El robo de un refresh token pasa inadvertido",
      why: "Una aplicación pública no tiene secreto: solo la rotación delata un refresh token copiado.",
      instead: "Activa la rotación de refresh tokens.",
    },
    rotation_off: {
      title: "La rotación de refresh tokens está desactivada",
      why: "Un refresh token copiado, con el secreto, funciona junto al verdadero hasta que caduca.",
      instead: "Activa la rotación de refresh tokens.",
    },
    strict_rotation: {
      title: "Dos renovaciones a la vez cierran la sesión de la persona",
      why: (figure) =>
        `Si otra pestaña o un reintento repite la renovación en los ${figure} segundos tras la rotación, terminan todos los tokens de ese inicio de sesión.`,
      instead: "Pon metadata.refresh_reuse_window a 30: la renovación repetida recibe la misma respuesta.",
    },
    reuse_window: {
      title: "Los refresh tokens gastados vuelven a tener respuesta",
      why: (figure) =>
        `Dentro de la ventana de ${figure} segundos, un token copiado recibe la misma respuesta que el verdadero.`,
      instead:
        "Deja metadata.refresh_reuse_window tan corta como permitan las respuestas perdidas, o quítala.",
    },
    long_access_token: {
      title: "Tokens de acceso de larga duración",
      why: (figure) =>
        `Una API que solo comprueba la firma acepta un token robado hasta que caduca: aquí ${figure} segundos, más de una hora.`,
      instead: "Que vivan de 5 a 60 minutos, y renueva.",
    },
    long_refresh_token: {
      title: "Refresh tokens de larga duración",
      why: (figure) =>
        `Quien encuentre uno sin usar en una copia antigua puede usarlo durante ${figure} segundos, más de 90 días.`,
      instead: "Que vivan tanto como la gente tarda en volver y no más, por ejemplo de 7 a 30 días.",
    },
    first_party_elsewhere: {
      title: "Se omite el consentimiento para otro sitio",
      why: "La aplicación cuenta como propia, pero los códigos van a un servidor de otro sitio sin preguntar a la persona.",
      instead: "Desactiva first_party, salvo que ese sitio también sea nuestro.",
    },
    first_party_unassured: {
      title: "Se omite el consentimiento para una aplicación que no puede acreditarse",
      why: "Cualquier programa del dispositivo puede usar este client_id y obtiene tokens sin preguntar a la persona.",
      instead: "Desactiva first_party, o usa solo una dirección https reclamada.",
    },
    sign_in_unreachable: {
      title: "Nadie puede alcanzar el nivel de inicio de sesión exigido",
      why: "Nadie puede configurar en este servidor el segundo factor o la llave de acceso que hace falta, así que las personas vuelven sin código.",
      instead: "Activa lo necesario con POSTERN_EXTRA_SIGN_IN, o haz que require_acr exija menos.",
    },
    no_scopes: {
      title: "No se permite ningún scope",
      why: "Toda solicitud debe nombrar un scope, así que todas las de esta aplicación se rechazan.",
      instead: "Permite los scopes que necesita; openid basta para identificar a personas.",
    },
    management_scopes: {
      title: "Puede administrar este servidor",
      why: "Los tokens de esta aplicación pueden cambiar registros aquí, hasta donde llegan estos scopes.",
      instead: "Deja solo los que necesita, y en una aplicación que no haga nada más.",
    },
    public_management: {
      title: "Una aplicación pública puede administrar este servidor",
      why: "Cualquiera puede hacerse pasar por una aplicación sin secreto, y estos scopes dan poder sobre los registros.",
      instead: "Pásalos a una aplicación confidencial.",
    },
    unknown_scopes: {
      title: "Pide scopes que no existen",
      why: "Los nombraron solicitudes con openid en los últimos siete días; se pasaron por alto y no se concedieron.",
      instead: "Quítalos de la solicitud de la aplicación o defínelos en una API que pueda pedir.",
    },
    idle_scopes: {
      title: "Scopes permitidos que no aportan nada",
      why: "Aquí no dan ningún claim, ninguna API los define o los grants de la aplicación no pueden usarlos.",
      instead: "Quítalos de allowed_scopes, defínelos en una API o permite el grant que necesitan.",
    },
    introspection_scope: {
      title: "Puede mirar los tokens de otras aplicaciones",
      why: "Con token:introspect puede ver a quién pertenece cada token de su organización.",
      instead: "Dáselo a las API que comprueban tokens y a nada más.",
    },
    resource_unreadable: {
      title: "Recursos que no se leen",
      why: "El valor no es un texto ni una lista de textos, así que se ignora.",
      instead: "Escribe una dirección o una lista de direcciones.",
    },
    resource_not_absolute: {
      title: "Un recurso que no es una dirección absoluta",
      why: "Un recurso debe ser una URI absoluta sin fragmento, y las solicitudes de este se rechazan.",
      instead: "Escríbelo completo, por ejemplo https://api.example.com.",
    },
    http_resource: {
      title: "Tokens para una API por http sin cifrar",
      why: "Cualquiera que esté en el camino a la API puede leer el token y usarlo.",
      instead: "Sirve la API por https y nómbrala así.",
    },
    no_live_secret: {
      title: "No hay ningún secreto vigente",
      why: "Sin secreto, una aplicación confidencial no puede acreditarse y no obtiene tokens.",
      instead: "Crea un secreto, o haz pública la aplicación si se ejecuta en los dispositivos de la gente.",
    },
    many_secrets: {
      title: "Más secretos de los que exige un relevo",
      why: (figure) =>
        `Cada uno de los ${figure} se puede perder; bastan dos mientras uno sustituye al otro.`,
      instead: "Revoca los que no se usan.",
    },
    old_secret: {
      title: "Un secreto de más de un año",
      why: "Cuanto más tiempo circula un secreto, más copias hay de él.",
      instead: "Crea uno nuevo, ponlo en su sitio y revoca el antiguo.",
    },
    endless_secret: {
      title: "Un secreto que no caduca nunca",
      why: "Si se queda olvidado en alguna parte, vale para siempre.",
      instead: "Pon caducidad al próximo, y un recordatorio para quien lleva la aplicación.",
    },
    unused_secret: {
      title: "Un secreto que nadie usa",
      why: "No se ha usado en 90 días, así que nadie notaría si lo tuviera otra persona.",
      instead: "Revócalo.",
    },
    expiring_secret: {
      title: "Un secreto está a punto de caducar",
      why: "En menos de 14 días la aplicación ya no podrá acreditarse con él.",
      instead: "Crea uno nuevo ahora y ponlo en su sitio antes de esa fecha.",
    },
  },
};
