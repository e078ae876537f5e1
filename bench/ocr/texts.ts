import type { ScanLanguage } from "../../src/documents/scan/scan-languages.ts";

/** Half a page in each language, with the accents, numbers and signs that letters and invoices have. */
export const texts: Record<ScanLanguage, string> = {
  english: `The committee met on Tuesday to discuss the annual budget. Members raised several questions about travel costs, equipment and the new building in Harbour Street. Invoice 2024-117 over $1,284.50 remains unpaid; please send it before 15 March.

Lamps of the series Alder may be returned within 30 days if they are unused and in their box. We pay for the shipping of faulty ones. Bulbs, however, are excluded from this offer, as are lamps that were made to order (see page 12).

"Who signs for the delivery?" asked Ms Whitfield. The warehouse opens at 7:30 and closes at 18:00, except on Fridays. Its manager, Quentin Jarvis, can be reached at extension 4096.`,
  german: `Der Ausschuss traf sich am Dienstag, um über den jährlichen Haushalt zu sprechen. Mehrere Mitglieder stellten Fragen zu Reisekosten, Geräten und dem neuen Gebäude in der Königstraße. Die Rechnung 2024-117 über 1.284,50 Euro ist noch offen; bitte schicken Sie sie vor dem 15. März.

Leuchten der Serie Erle können innerhalb von 30 Tagen zurückgegeben werden, wenn sie unbenutzt und in ihrer Schachtel sind. Für schadhafte übernehmen wir die Kosten des Versands. Glühbirnen sind davon ausgeschlossen, ebenso Maßanfertigungen (siehe Seite 12).

Das Lager öffnet um 7:30 Uhr und schließt um 18:00 Uhr, außer freitags. Herr Jörg Weiß, der es leitet, ist unter der Durchwahl 4096 zu erreichen. Größere Lieferungen müssen zwei Werktage vorher angekündigt werden.`,
  french: `Le comité s'est réuni mardi pour discuter du budget annuel. Plusieurs membres ont posé des questions sur les frais de déplacement, l'équipement et le nouveau bâtiment de la rue du Port. La facture 2024-117 de 1 284,50 euros reste impayée ; veuillez l'envoyer avant le 15 mars.

Les lampes de la série Aulne peuvent être retournées dans les 30 jours si elles sont neuves et dans leur boîte. Nous payons l'envoi de celles qui sont défectueuses. Les ampoules sont exclues de cette offre, ainsi que les lampes faites sur commande (voir page 12).

L'entrepôt ouvre à 7 h 30 et ferme à 18 heures, sauf le vendredi. Sa gérante, Hélène Lefèvre, répond au poste 4096. Où faut-il signer à la réception ? Ça dépend du nombre de colis reçus.`,
  spanish: `El comité se reunió el martes para hablar del presupuesto anual. Varios miembros preguntaron por los gastos de viaje, los equipos y el nuevo edificio de la calle del Puerto. La factura 2024-117 de 1.284,50 euros sigue pendiente; envíela antes del 15 de marzo.

Las lámparas de la serie Aliso se pueden devolver en 30 días si están sin usar y en su caja. Pagamos el envío de las defectuosas. Las bombillas quedan excluidas de esta oferta, así como las lámparas hechas por encargo (véase la página 12).

¿Quién firma la entrega? El almacén abre a las 7:30 y cierra a las 18:00, excepto los viernes. Su jefe, el señor Íñigo Núñez, contesta en la extensión 4096. ¡No olvide avisar dos días antes!`,
  chinese: `委员会于星期二召开会议，讨论年度预算。几位成员就差旅费用、设备和港口街的新大楼提出了问题。发票编号 2024 尚未支付，请在三月十五日之前寄出。

赤杨系列的灯具如果没有使用过，并且保留原来的包装盒，可以在三十天之内退货。有缺陷的产品由我们承担运费。灯泡以及按照订单制作的灯具不在此范围之内，详细说明请参见第十二页。

仓库早上七点半开门，晚上六点关门，星期五除外。仓库经理王先生的分机号码是 4096。较大的货物必须提前两个工作日通知，收货时请仔细检查数量并且签字确认。`,
};
