/** Returns, opening hours, warranty and parking, in this order; of each what somebody may ask for it. */
interface ScriptSample {
  language: string;
  texts: readonly [string, string, string, string];
  questions: readonly [string[], string[], string[], string[]];
}

/** By the name of a language or its script. */
export const scriptSamples: Record<string, ScriptSample> = {
  English: {
    language: "english",
    texts: [
      "Returns are accepted within thirty days if the box was not opened.",
      "The shop opens at eight in the morning and is closed on Sundays.",
      "Our machines have a warranty of two years from the day of purchase.",
      "Visitors park for free behind the building.",
    ],
    questions: [
      ["return an item", "returning"],
      ["When does the shop open?"],
      ["warranties"],
      ["parking for a visitor"],
    ],
  },
  German: {
    language: "german",
    texts: [
      "Rücksendungen nehmen wir innerhalb von dreißig Tagen an, wenn der Karton nicht geöffnet wurde.",
      "Der Laden öffnet um acht Uhr und ist an den Sonntagen geschlossen.",
      "Auf unsere Maschinen geben wir zwei Jahre Garantie ab dem Tag des Kaufs.",
      "Für die Besucher gibt es hinter dem Gebäude freie Parkplätze.",
    ],
    questions: [
      ["Rücksendung", "rucksendung"],
      ["Sonntag"],
      ["Wie lange ist die Garantie einer Maschine?"],
      ["Parkplatz", "Gebäuden"],
    ],
  },
  French: {
    language: "french",
    texts: [
      "Les retours sont acceptés dans un délai de trente jours si la boîte n'a pas été ouverte.",
      "Le magasin ouvre à huit heures et il est fermé le dimanche.",
      "Nos machines ont une garantie de deux ans à partir du jour de l'achat.",
      "Les visiteurs se garent gratuitement derrière le bâtiment.",
    ],
    questions: [
      ["retour", "retourner", "délais"],
      ["magasins", "à quelle heure ouvrez-vous"],
      ["garanties"],
      ["batiment", "visiteur"],
    ],
  },
  Spanish: {
    language: "spanish",
    texts: [
      "Las devoluciones se aceptan en un plazo de treinta días si la caja no se ha abierto.",
      "La tienda abre a las ocho de la mañana y está cerrada los domingos.",
      "Nuestras máquinas tienen una garantía de dos años desde el día de la compra.",
      "Los visitantes pueden aparcar gratis detrás del edificio.",
    ],
    questions: [["devolución", "devolucion"], ["domingo"], ["garantías", "maquina"], ["aparcamiento", "edificios"]],
  },
  Russian: {
    language: "russian",
    texts: [
      "Возврат товара возможен в течение тридцати дней, если коробка не была открыта.",
      "Магазин открывается в восемь часов утра и закрыт по воскресеньям.",
      "На наши кофемашины мы даём гарантию на два года со дня покупки.",
      "Для посетителей есть бесплатная стоянка за зданием.",
    ],
    questions: [
      ["возвраты", "Как вернуть товары?"],
      ["МАГАЗИНЫ", "воскресенье"],
      ["гарантия", "кофемашина"],
      ["бесплатные стоянки", "посетитель"],
    ],
  },
  Greek: {
    language: "greek",
    texts: [
      "Οι επιστροφές γίνονται δεκτές εντός τριάντα ημερών, αν το κουτί δεν έχει ανοιχτεί.",
      "Το κατάστημα ανοίγει στις οκτώ το πρωί και είναι κλειστό τις Κυριακές.",
      "Οι μηχανές μας έχουν εγγύηση δύο ετών από την ημέρα της αγοράς.",
      "Οι επισκέπτες σταθμεύουν δωρεάν πίσω από το κτίριο.",
    ],
    questions: [
      ["επιστροφή", "ΕΠΙΣΤΡΟΦΗ"],
      ["καταστήματα", "Κυριακή"],
      ["εγγυήσεις", "μηχανή"],
      ["επισκέπτης", "κτιριο"],
    ],
  },
  Arabic: {
    language: "arabic",
    texts: [
      "يمكن إرجاع المنتجات خلال ثلاثين يوما إذا لم يتم فتح العلبة.",
      "يفتح المتجر في الساعة الثامنة صباحا ويغلق يوم الأحد.",
      "تأتي أجهزتنا مع ضمان لمدة سنتين من تاريخ الشراء.",
      "يمكن للزوار ركن سياراتهم مجانا خلف المبنى.",
    ],
    questions: [["إرجاع", "منتجات", "ارجاع"], ["متجر", "الأَحَد"], ["الضمان"], ["سيارات", "مبنى"]],
  },
  Hebrew: {
    language: "simple",
    texts: [
      "ניתן להחזיר מוצרים תוך שלושים יום אם הקופסה לא נפתחה.",
      "החנות נפתחת בשעה שמונה בבוקר וסגורה ביום ראשון.",
      "למכונות שלנו יש אחריות של שנתיים מיום הקנייה.",
      "המבקרים יכולים לחנות בחינם מאחורי הבניין.",
    ],
    questions: [["מוצרים", "הקופסה"], ["החנות", "הַחֲנוּת"], ["אחריות"], ["המבקרים", "הבניין"]],
  },
  Devanagari: {
    language: "hindi",
    texts: [
      "उत्पादों को तीस दिनों के भीतर वापस किया जा सकता है, यदि डिब्बा नहीं खोला गया है।",
      "दुकान सुबह आठ बजे खुलती है और रविवार को बंद रहती है।",
      "हमारी मशीनों पर खरीद के दिन से दो साल की वारंटी है।",
      "आगंतुक इमारत के पीछे निःशुल्क गाड़ी खड़ी कर सकते हैं।",
    ],
    questions: [
      ["उत्पाद", "वापस"],
      ["दुकान", "रविवार"],
      ["मशीन", "वारंटी"],
      ["इमारत", "गाड़ी"],
    ],
  },
  Chinese: {
    language: "simple",
    texts: [
      "未开封的商品可以在三十天内退货，运费由我们承担。",
      "商店早上八点开门，星期天休息。",
      "我们的咖啡机自购买之日起保修两年。",
      "访客可以在大楼后面免费停车。",
    ],
    questions: [
      ["退货", "请问你们的退货政策是什么样的？", "运费"],
      ["几点开门", "星期天"],
      ["保修", "咖啡机坏了"],
      ["停车", "访客"],
    ],
  },
  Japanese: {
    language: "simple",
    texts: [
      "未開封の商品は三十日以内であれば返品できます。お茶は対象外です。",
      "店は朝八時に開き、日曜日は休みです。",
      "コーヒーメーカーには購入日から二年間の保証が付きます。",
      "来客は建物の裏に無料で駐車できます。",
    ],
    questions: [
      ["返品", "返品できますか", "茶"],
      ["日曜日", "何時に開きますか"],
      ["保証", "ｺｰﾋｰﾒｰｶｰ"],
      ["駐車", "無料"],
    ],
  },
  Korean: {
    language: "simple",
    texts: [
      "개봉하지 않은 상품은 삼십일 이내에 반품할 수 있습니다.",
      "매장은 아침 여덟시에 열고 일요일에는 쉽니다.",
      "커피머신은 구매일부터 이년 동안 보증됩니다.",
      "방문객은 건물 뒤에 무료로 주차할 수 있습니다.",
    ],
    questions: [
      ["반품", "상품을 반품하고 싶어요"],
      ["매장", "일요일"],
      ["보증", "커피머신".normalize("NFD")],
      ["주차", "건물"],
    ],
  },
  Thai: {
    language: "simple",
    texts: [
      "สินค้าที่ยังไม่เปิดกล่องคืนได้ภายในสามสิบวัน",
      "ร้านเปิดแปดโมงเช้าและหยุดวันอาทิตย์",
      "เครื่องชงกาแฟมีประกันสองปีนับจากวันที่ซื้อ",
      "ผู้มาเยือนจอดรถฟรีด้านหลังอาคาร",
    ],
    questions: [
      ["คืนได้", "คืนสินค้า"],
      ["วันอาทิตย์", "ร้านเปิดกี่โมง"],
      ["ประกัน", "กาแฟ"],
      ["จอดรถ", "อาคาร"],
    ],
  },
  Khmer: {
    language: "simple",
    texts: ["ទំនិញអាចប្រគល់វិញក្នុងរយៈពេលសាមសិបថ្ងៃ", "ហាងបើកម៉ោងប្រាំបីព្រឹក", "ម៉ាស៊ីនមានការធានាពីរឆ្នាំ", "ភ្ញៀវចតរថយន្តដោយឥតគិតថ្លៃ"],
    questions: [["ប្រគល់"], ["ម៉ោង", "ហាង"], ["ការធានា"], ["ភ្ញៀវ"]],
  },
  Burmese: {
    language: "simple",
    texts: [
      "ပစ္စည်းများကို ရက်သုံးဆယ်အတွင်း ပြန်ပေးနိုင်သည်",
      "ဆိုင်သည် နံနက်ရှစ်နာရီတွင်ဖွင့်သည်",
      "စက်များအတွက် နှစ်နှစ်အာမခံရှိသည်",
      "ဧည့်သည်များ အခမဲ့ကားရပ်နိုင်သည်",
    ],
    questions: [["ပြန်ပေး"], ["နာရီ", "ဆိုင်"], ["အာမခံ"], ["အခမဲ့"]],
  },
  Lao: {
    language: "simple",
    texts: ["ສິນຄ້າສົ່ງຄືນໄດ້ພາຍໃນສາມສິບວັນ", "ຮ້ານເປີດແປດໂມງເຊົ້າ", "ເຄື່ອງຮັບປະກັນສອງປີ", "ແຂກຈອດລົດຟຣີຫຼັງຕຶກ"],
    questions: [["ສົ່ງຄືນ"], ["ຮ້ານ"], ["ຮັບປະກັນ"], ["ຈອດລົດ"]],
  },
};
