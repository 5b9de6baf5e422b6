import { durationIn } from "../../html/formats.ts";
import type { DetailSentences } from "../parts/sentences.ts";
import { esNoun } from "./resource_types.ts";

export const details: DetailSentences = {
  invalid_record: ({ record }) => `${esNoun("the", record)}: los datos no son válidos`,
  not_found: ({ record, name }) => `no hay ${esNoun("no", record)} ${JSON.stringify(name)}`,
  not_id_of_record: ({ record }) => `no hay ${esNoun("no", record)} con este id, que debe ser un UUID`,
  no_owner_of_id: ({ record }) => `no hay ningún propietario con este id para ${esNoun("the", record)}`,
  record_exists: ({ record, fields }) =>
    `hay ${esNoun("other", record)} con el mismo valor (${fields.join(" y ")})`,
  role_of_organization: ({ role, organization }) =>
    `el nombre se parece al del rol ${JSON.stringify(role)} de la organización ${organization}; elige otro nombre o cambia el de ese rol`,
  role_of_members: ({ role, organization }) =>
    `hay miembros de la organización ${organization} con el rol ${JSON.stringify(role)}, que se parece a este nombre; dales otro rol o elige otro nombre`,
  id_taken: "otro registro tiene el mismo id",
  reference_gone: "ya no existe un registro al que este se refiere",
  stale: "el registro ha cambiado desde que se leyó; vuelve a leerlo y repite tu cambio",
  changed_without_end: "el registro cambia sin parar; inténtalo de nuevo",
  no_creation: ({ record }) => `aquí no se puede crear ${esNoun("no", record)}`,
  no_change: ({ record }) => `aquí no se puede cambiar ${esNoun("no", record)}`,
  no_deletion: ({ record }) => `aquí no se puede eliminar ${esNoun("no", record)}`,
  no_revocation: ({ record }) => `aquí no se puede revocar ${esNoun("no", record)}`,
  no_such_act: ({ record }) => `esto no se hace con ${esNoun("no", record)}`,
  wrong_deletion: ({ record }) => `${esNoun("the", record)} no puede eliminarse con estos parámetros`,
  wrong_act: ({ record }) => `esto no se puede hacer así con ${esNoun("the", record)}`,
  provider_linked: ({ links }) =>
    `este proveedor tiene cuentas vinculadas (${links}): los ajustes que las identifican no pueden cambiar`,
  provider_links_remain: ({ links }) =>
    `este proveedor tiene cuentas vinculadas (${links}): indica links=delete para eliminarlas con él`,
  successor_required: ({ apps, service_accounts }) =>
    `el usuario creó aplicaciones (${apps}) y cuentas de servicio (${service_accounts}) de organizaciones: indica quién se hace cargo`,
  secret_exists: "la aplicación ya tiene este secreto",
  too_many_secrets: ({ secrets }) =>
    `una aplicación tiene como máximo ${secrets} secretos que funcionan; revoca uno antes`,
  resource_taken: "otra aplicación tiene el mismo metadata.resource",
  consent_withdrawn: "el consentimiento se retiró; solo su usuario puede darlo de nuevo",
  password_changed_meanwhile: "la contraseña se cambió al mismo tiempo; inténtalo de nuevo",
  passwords_throttled: "demasiadas contraseñas incorrectas; inténtalo más tarde",
  last_administrator: "es el último administrador activo de la plataforma: nombra otro antes",
  last_way_in:
    "es tu única forma de iniciar sesión: antes define una contraseña, añade una llave de acceso o vincula otra cuenta",
  last_owner: "es el último propietario de la organización: nombra otro antes",

  scope_needed: ({ scope }) => `hace falta el scope ${scope}`,
  permission_needed: ({ permission }) => `aquí hace falta el permiso ${permission}`,
  permission_needed_in_organization: ({ permission }) =>
    `hace falta el permiso ${permission} en la organización`,
  reset_in_browser:
    "los segundos factores los restablece un administrador con sesión iniciada en la consola, o el operador en la línea de comandos",
  own_factors: "tus segundos factores los restablece otro administrador",
  reset_takes_second_factor: ({ seconds }) =>
    `esto exige un segundo factor tuyo dado hace menos de ${durationIn(seconds, "es")}; una cuenta que no tiene ninguno no puede hacerlo`,
  last_factor:
    "es el último segundo factor del usuario: restablécelos todos y el usuario demostrará su buzón en el siguiente inicio de sesión",
  platform_only: "esto es para administradores de la plataforma",
  not_yours_to_do: "no puedes hacer esto",
  not_yours_to_give: "no puedes otorgarlo",
  not_yours_to_make: ({ record }) => `no puedes crear ${esNoun("a", record)}`,
  not_yours_to_change: "no puedes cambiar nada de esto",
  app_beyond_you: ({ permissions }) =>
    `esta aplicación tiene permisos que tú no tienes: ${permissions.join(", ")}`,
  key_beyond_you: ({ permissions }) =>
    `esta clave tiene permisos que tú no tienes: ${permissions.join(", ")}`,
  service_account_beyond_you: ({ permissions }) =>
    `esta cuenta de servicio tiene permisos que tú no tienes: ${permissions.join(", ")}`,
  membership_above: ({ role }) => `una membresía con el rol ${role} está por encima de la tuya`,
  vouched_for_secrets:
    "la aplicación es first_party: solo un administrador de la plataforma puede añadirle secretos",
  platform_switched_off: "lo desactivó un administrador de la plataforma: solo uno puede eliminarlo",
  platform_makes_apps_without_organization:
    "solo un administrador de la plataforma puede crear una aplicación sin organización",
  platform_makes_users: "solo un administrador de la plataforma puede crear usuarios",
  platform_changes_users: "solo un administrador de la plataforma puede modificar a otro usuario",
  platform_deletes_users: "solo un administrador de la plataforma puede eliminar usuarios",
  self_deletion: "no puedes eliminarte a ti mismo",
  platform_makes_organizations: "solo un administrador de la plataforma puede crear organizaciones",
  owner_deletes_organization:
    "solo un propietario o un administrador de la plataforma puede eliminar una organización",
  platform_links_accounts: "solo un administrador de la plataforma vincula cuentas sin inicio de sesión",
  platform_rotates_signing_keys: "solo un administrador de la plataforma puede rotar las claves de firma",
  consent_page_only: "un consentimiento se da en la página de consentimiento",

  person_invites: "solo una persona invita a otras",
  member_by_consent: "una persona solo pasa a ser miembro con su consentimiento",
  already_member: "ya es miembro",
  invited_above: "la persona ya tiene una invitación a un rol por encima del tuyo",
  invited_alike: "hay una invitación abierta para una dirección que se lee igual; retírala antes",
  invitation_above: ({ role }) => `una invitación al rol ${role} está por encima de la tuya`,
  too_many_invitations: ({ invitations }) => `hay ${invitations} invitaciones abiertas: retira una antes`,
  invitations_throttled: "demasiadas invitaciones: vuelve más tarde",
  tests_throttled: "la aplicación se acaba de probar: vuelve a intentarlo en unos instantes",
  mail_off: ({ organization_id }) =>
    `a las personas se les pregunta por correo, y este servidor no envía ninguno: crea un enlace en /console/organizations/${organization_id}/invite`,

  no_bearer: "la cabecera Authorization debe ser Bearer y un token o una clave de API",
  inactive_credential: "el token de acceso o la clave de API no está activo, o no es para esta API",
  proof_refused: ({ why }) => `la prueba DPoP se rechazó: ${why}`,
  sign_in_insufficient: ({ acr, max_age }) =>
    `esto requiere un inicio de sesión de nivel ${acr} de hace ${max_age} segundos como máximo`,
  not_signed_in: "no hay sesión iniciada, y no se envió ningún token de acceso ni clave de API",
  foreign_origin:
    "con una sesión del navegador, los cambios deben venir de una página de este servidor: comprueba Sec-Fetch-Site y Origin",
  content_type: ({ types }) => `el tipo de contenido debe ser ${types.join(" o ")}, en UTF-8`,
  too_large: ({ bytes }) => `el cuerpo tiene más de ${bytes} bytes`,
  not_utf8: "el cuerpo no es UTF-8",
  not_json: "el cuerpo no es JSON",
  not_json_object: "el cuerpo debe ser un objeto JSON",
  json_too_deep: ({ levels }) => `el cuerpo se anida más de ${levels} niveles`,
  json_not_kept: "el cuerpo contiene un número o un texto que no puede guardarse con exactitud",
  nothing_taken: "esta operación no acepta datos",
  quota_exceeded: ({ requests, seconds }) =>
    `esta credencial puede enviar ${requests} solicitudes en ${seconds} segundos`,
  wrong_operations: "la solicitud no es válida; no se cambió nada",
  reset_mail_off: "este servidor no envía correo y no puede enviar el enlace",
  reset_mails_throttled: "demasiados correos para restablecer la contraseña: vuelve más tarde",
  wrong_filter: "un parámetro de la lista no es válido",
  wrong_parameter: "un parámetro de la consulta no es válido",
  parameter_repeated: "un parámetro de la consulta está repetido",
  wrong_limit: ({ max }) => `limit es un número entero de 1 a ${max}`,
  too_many_to_sort:
    "la lista es demasiado larga para ordenarla así: fíltrala antes u ordénala por created_at",
  search_too_wide: "demasiados nombres coinciden: escribe más del nombre",
  wrong_cursor: "el cursor no es de esta lista: omítelo para empezar de nuevo",
  wrong_idempotency_key: "la cabecera Idempotency-Key debe ser una clave de 1 a 255 caracteres visibles",
  request_in_progress: "la primera petición con esta clave aún está en curso",
  idempotency_mismatch: "esta clave de idempotencia se usó para una petición con otro cuerpo",
  events_gone: "se borraron eventos posteriores a esta posición",
  feed_restored: "el servidor se restauró de una copia de seguridad sin el evento de este cursor",
  too_many_wait: ({ max }) =>
    `${max} eventos esperan a este destino; vuelva a intentarlo cuando se hayan entregado`,
  nothing_to_replay: "ningún evento corresponde",
  too_many_readers: "demasiadas peticiones esperan eventos",
  form_in_progress:
    "este formulario ya se envió y aún se está procesando; mira la lista dentro de un momento",

  invalid_manifest: "el manifiesto no puede aplicarse:",
  manifest_refused: "el manifiesto contiene cambios que no están permitidos",
  changed_while_applied: ({ record }) =>
    `${esNoun("the", record)} cambió mientras tanto: aplica el archivo de nuevo`,
};
