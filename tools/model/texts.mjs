// The texts of the golden vectors: short memories in fourteen languages and ten
// scripts, long ones, and strings made to hurt a tokenizer. Every opening meets
// every fact of its language.

const languages = {
  english: {
    openings: ['Anna said that ', 'Yesterday we noted: ', 'Reminder – ', 'According to the minutes, ', 'I remember that '],
    facts: [
      'the deployment moved to Thursday at 9:30 a.m.', 'the customer prefers invoices by e-mail, not by post.',
      'our database runs out of disk space every other month.', 'the cat is called Minka and is afraid of thunder.',
      'John’s flight to Lisbon was cancelled; he took the train instead.', 'the API key rotates every 90 days (see RFC-114).',
      'nobody tested the backup since March 2024.', 'the red bicycle in the hallway belongs to the neighbours.',
      'we decided against Kubernetes because two machines are enough.', 'her favourite dish is aubergine with walnuts.',
      'the bug only shows up when the clock jumps backwards.', 'the contract ends on 31/12/2026 unless renewed.',
      'the piano needs tuning before the concert.', 'he owes me $42.50 for the concert tickets!',
    ],
  },
  german: {
    openings: ['Anna sagt, ', 'Gestern notiert: ', 'Zur Erinnerung – ', 'Laut Protokoll gilt: ', 'Ich weiß noch: '],
    facts: [
      'die Auslieferung ist auf Donnerstag verschoben.', 'der Kunde möchte Rechnungen per E-Mail.',
      'die Straße zum Büro ist bis Mai gesperrt.', 'die Katze heißt Minka und fürchtet Gewitter.',
      'der Zug nach Köln fiel aus.', 'der Schlüssel liegt unter der Fußmatte.',
      'niemand hat die Datensicherung geprüft.', 'das Fahrrad im Flur gehört den Nachbarn.',
      'wir nehmen lieber zwei kleine Server.', 'ihr Lieblingsgericht ist Aubergine mit Walnüssen.',
      'der Fehler tritt nur bei Zeitsprüngen auf.', 'die Kündigungsfrist beträgt drei Monate.',
      'das Klavier muss gestimmt werden.', 'ÜBERGRÖSSEN kosten 42,50 € mehr.',
    ],
  },
  french: {
    openings: ['Anne dit que ', 'Noté hier : ', 'Rappel – ', 'D’après le compte rendu, ', 'Je me souviens que '],
    facts: [
      'la mise en production est reportée à jeudi.', 'le client préfère les factures par courriel.',
      'l’été dernier, la forêt a brûlé près de Nîmes.', 'le chat s’appelle Minou et craint l’orage.',
      'son vol pour Lisbonne a été annulé.', 'la clé est sous le paillasson.',
      'personne n’a vérifié la sauvegarde.', 'le vélo rouge appartient aux voisins.',
      'nous avons choisi deux petits serveurs.', 'son plat préféré est l’aubergine aux noix.',
      'l’œuvre a été déplacée au musée.', 'le contrat s’achève le 31 décembre.',
      'le piano doit être accordé.', 'il me doit 42,50 € pour le théâtre.',
    ],
  },
  spanish: {
    openings: ['Ana dice que ', 'Anotado ayer: ', 'Recuerda: ', 'Según el acta, ', '¿Sabías que '],
    facts: [
      'el despliegue pasa al jueves.', 'el cliente prefiere facturas por correo electrónico.',
      'el niño cumple años en marzo.', 'la gata se llama Luna y teme los truenos.',
      'su vuelo a Lisboa fue cancelado.', 'la llave está debajo del felpudo.',
      'nadie probó la copia de seguridad.', 'la bicicleta roja es de los vecinos.',
      'elegimos dos servidores pequeños.', 'su plato favorito es berenjena con nueces.',
      'el pingüino cruzó la montaña.', 'el contrato termina en diciembre.',
      'hay que afinar el piano mañana.', '¡me debe 42,50 € por las entradas!',
    ],
  },
  turkish: {
    openings: ['Ayşe dedi ki ', 'Dün not aldık: ', 'Hatırlatma – ', 'Tutanağa göre ', 'İyi biliyorum: '],
    facts: [
      'yayın perşembeye ertelendi.', 'müşteri faturaları e-posta ile istiyor.', 'IŞIK ve ılık su gerekiyor.',
      'kedinin adı Minnoş.', 'Lizbon uçuşu iptal edildi.', 'anahtar paspasın altında.', 'kimse yedeği denemedi.',
      'kırmızı bisiklet komşuların.', 'iki küçük sunucu yeterli.', 'en sevdiği yemek cevizli patlıcan.',
      'İSTANBUL’da hava güzel.', 'sözleşme aralıkta bitiyor.', 'piyanonun akordu bozuk.', 'bana 42,50 lira borcu var.',
    ],
  },
  vietnamese: {
    openings: ['Chị Lan nói rằng ', 'Hôm qua ghi lại: ', 'Nhắc nhở – ', 'Theo biên bản, ', 'Tôi nhớ rằng '],
    facts: [
      'việc triển khai dời sang thứ năm.', 'khách hàng muốn nhận hóa đơn qua thư điện tử.', 'ổ đĩa sắp đầy.',
      'con mèo tên là Mướp và sợ sấm.', 'chuyến bay đi Đà Nẵng bị hủy.', 'chìa khóa ở dưới tấm thảm.',
      'không ai kiểm tra bản sao lưu.', 'chiếc xe đạp đỏ là của hàng xóm.', 'hai máy chủ nhỏ là đủ.',
      'món ăn yêu thích là cà tím.', 'lỗi chỉ xảy ra vào ban đêm.', 'hợp đồng kết thúc tháng mười hai.',
      'đàn piano cần lên dây.', 'anh ấy nợ tôi 42.000 đồng.',
    ],
  },
  russian: {
    openings: ['Анна сказала, что ', 'Вчера записали: ', 'Напоминание – ', 'Согласно протоколу, ', 'Я помню: '],
    facts: [
      'выпуск перенесён на четверг.', 'клиент хочет счета по электронной почте.', 'на диске кончается место.',
      'кошку зовут Минка, она боится грозы.', 'рейс в Лиссабон отменили.', 'ключ лежит под ковриком.',
      'резервную копию никто не проверял.', 'красный велосипед принадлежит соседям.', 'нам хватит двух серверов.',
      'её любимое блюдо – баклажаны с орехами.', 'ошибка видна только ночью.', 'договор кончается в декабре.',
      'Ёлку уберём в январе.', 'он должен мне 42 рубля 50 копеек.',
    ],
  },
  greek: {
    openings: ['Η Άννα είπε ότι ', 'Χθες σημειώσαμε: ', 'Υπενθύμιση – ', 'Σύμφωνα με τα πρακτικά, ', 'Θυμάμαι ότι '],
    facts: [
      'η έκδοση μεταφέρθηκε την Πέμπτη.', 'ο πελάτης θέλει τιμολόγια με email.', 'ο δίσκος γεμίζει.',
      'η γάτα λέγεται Μίνκα.', 'η πτήση για Λισαβόνα ακυρώθηκε.', 'το κλειδί είναι κάτω από το χαλάκι.',
      'κανείς δεν δοκίμασε το αντίγραφο.', 'το κόκκινο ποδήλατο είναι των γειτόνων.', 'δύο μηχανές αρκούν.',
      'ΟΔΟΣ ΟΔΥΣΣΕΩΣ 12.', 'το σφάλμα φαίνεται μόνο τη νύχτα;', 'το συμβόλαιο λήγει τον Δεκέμβριο.',
      'το πιάνο θέλει κούρδισμα.', 'μου χρωστάει 42,50 €.',
    ],
  },
  arabic: {
    openings: ['قالت آمنة إن ', 'سجلنا أمس: ', 'تذكير – ', 'وفقًا للمحضر، ', 'أتذكر أن '],
    facts: [
      'الإصدار تأجل إلى يوم الخميس.', 'العميل يفضل الفواتير بالبريد الإلكتروني.', 'القرص ممتلئ تقريبًا.',
      'القطة اسمها مِنكا وتخاف الرعد.', 'الرحلة إلى لشبونة أُلغيت.', 'المفتاح تحت السجادة.', 'لم يختبر أحد النسخة الاحتياطية.',
      'الدراجة الحمراء للجيران.', 'خادمان صغيران يكفيان.', 'طبقها المفضل الباذنجان بالجوز.', 'الخطأ يظهر ليلًا فقط؟',
      'العقد ينتهي في ديسمبر.', 'البيانو يحتاج إلى ضبط.', 'يدين لي بـ ٤٢ ريالًا.',
    ],
  },
  hebrew: {
    openings: ['חנה אמרה ש', 'אתמול רשמנו: ', 'תזכורת – ', 'לפי הפרוטוקול, ', 'אני זוכר ש'],
    facts: [
      'ההשקה נדחתה ליום חמישי.', 'הלקוח מעדיף חשבוניות בדוא״ל.', 'הדיסק כמעט מלא.', 'לחתולה קוראים מינקה.',
      'הטיסה לליסבון בוטלה.', 'המפתח מתחת לשטיח.', 'איש לא בדק את הגיבוי.', 'האופניים האדומים של השכנים.',
      'שני שרתים קטנים מספיקים.', 'המאכל האהוב הוא חציל עם אגוזים.', 'שָׁלוֹם לכולם.', 'החוזה מסתיים בדצמבר.',
      'צריך לכוון את הפסנתר.', 'הוא חייב לי 42.50 ₪.',
    ],
  },
  hindi: {
    openings: ['अन्ना ने कहा कि ', 'कल लिखा गया: ', 'याद रहे – ', 'कार्यवृत्त के अनुसार ', 'मुझे याद है कि '],
    facts: [
      'रिलीज़ गुरुवार को होगी।', 'ग्राहक ईमेल से बिल चाहता है।', 'डिस्क भरने वाली है।', 'बिल्ली का नाम मिनका है।',
      'लिस्बन की उड़ान रद्द हो गई।', 'चाबी पायदान के नीचे है।', 'किसी ने बैकअप नहीं जाँचा।', 'लाल साइकिल पड़ोसियों की है।',
      'दो छोटे सर्वर काफ़ी हैं।', 'उसे बैंगन पसंद है।', 'गलती केवल रात में दिखती है।', 'अनुबंध दिसंबर में समाप्त होता है।',
      'पियानो को सुर में लाना है।', 'उस पर मेरे ४२ रुपये बाकी हैं।',
    ],
  },
  chinese: {
    openings: ['安娜说', '昨天记录：', '提醒——', '根据会议记录，', '我记得'],
    facts: [
      '发布推迟到星期四。', '客户希望通过电子邮件收发票。', '数据库磁盘快满了。', '猫叫咪咪，害怕打雷。', '去里斯本的航班取消了。',
      '钥匙在门垫下面。', '没有人测试过备份。', '红色自行车是邻居的。', '两台小服务器就够了。', '她最喜欢核桃茄子。',
      '这个错误只在夜里出现。', '合同十二月到期。', '鋼琴需要調音。', '他欠我42.50元！',
    ],
  },
  japanese: {
    openings: ['アンナさんによると、', '昨日のメモ：', 'リマインダー：', '議事録では、', '覚えているのは'],
    facts: [
      'リリースは木曜日に延期です。', '請求書はメールで送ってください。', 'ディスクがもうすぐ一杯です。', '猫の名前はミンカで、雷が苦手です。',
      'リスボン行きの便は欠航でした。', '鍵はマットの下にあります。', 'バックアップは誰も試していません。', '赤い自転車は隣の人のものです。',
      '小さなサーバー二台で十分です。', '好物は茄子とくるみです。', 'ﾊﾞｸﾞは夜だけ出ます。', '契約は十二月で終わります。', 'ピアノの調律が必要です。', '彼に４２円貸しています。',
    ],
  },
  korean: {
    openings: ['안나가 말하길 ', '어제 적은 것: ', '알림 – ', '회의록에 따르면 ', '내 기억으로는 '],
    facts: [
      '배포는 목요일로 미뤄졌다.', '고객은 이메일 청구서를 원한다.', '디스크가 거의 찼다.', '고양이 이름은 민카이다.', '리스본행 비행기가 취소되었다.',
      '열쇠는 매트 아래에 있다.', '아무도 백업을 시험하지 않았다.', '빨간 자전거는 이웃의 것이다.', '작은 서버 두 대면 충분하다.', '좋아하는 음식은 가지 요리다.',
      '오류는 밤에만 나타난다.', '계약은 십이월에 끝난다.', '피아노를 조율해야 한다.', '그는 나에게 42원을 빚졌다.',
    ],
  },
};

// Strings made to hurt: each has bitten a tokenizer somewhere.
export const nasty = [
  '', ' ', '\t\n\r ', '\u0000', '\u0000a\u0000b\u0000', 'a\u000bb\u000cc\u0085d', '\u200b\u200d\u2060\ufeff', 'a\u00adb\u200bc\u202ed',
  '\ufffd\ufffd x\ufffdy', '\u007f\u0080\u009f', '\u001b[31mred\u001b[0m', '\ue000\uf8ff private', 'x\u0378y unassigned \uffff',
  'café CAFÉ cafe\u0301 naïve coöperate Ångström', 'e\u0301\u0300\u0323\u0327'.repeat(20), '\u0301\u0302 alone', 'Z̸̢͎a̵͓l̷̮g̶̛o̴',
  'İstanbul ISPARTA ılık', 'ß ẞ STRASSE straße', 'ΟΔΟΣ ὀδυσσεύς ᾳ ΐ', 'ǅ ǈ Ǳ ŉ ĳ', 'ﬁ ﬂ ﬀ ½ ² ™ ℡ Å K Ω',
  '𝐇𝐞𝐥𝐥𝐨 𝒲𝑜𝓇𝓁𝒹 𝟙𝟚𝟛', 'ＦＵＬＬ ｗｉｄｔｈ １２３！？', '[CLS] [SEP] [MASK] [PAD] [UNK]', 'foo[SEP]bar[MASK]baz [cls] [Sep]', '[[SEP]] [SE P] [SEP',
  '##ing ##s # ## ###', 'unaffable unwantedrunning supercalifragilisticexpialidocious', 'x'.repeat(100), 'x'.repeat(101), 'é'.repeat(100) + ' ' + 'é'.repeat(101),
  'antidisestablishmentarianism'.repeat(3), 'a'.repeat(99) + '文' + 'b'.repeat(100), '!'.repeat(300), '....,,,;;;:::', '$^`~|<>=+ €£¥ ©®', '“quoted” ‘single’ «guillemets» „tief“ —–‐‑',
  '۱۲۳ ४५६ ๑๒๓ 一二三 Ⅻ', 'https://example.com/a?b=c&d=%20#e', 'user.name+tag@example.co.uk', 'C:\\Users\\x\\file.txt', '{"json": [1, 2.5e-3, null]}', 'SELECT * FROM t WHERE a<>\'b\';',
  '😀', '😀😃😄', 'I ❤️ 🍕 and 🥺', '👩‍👩‍👧‍👦 👍🏽 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'a😀b 😀c', '🫠🪿 newer', 'ﷺ ﷽ ꧁꧂', 'ㄅㄆㄇ ㄱㄴㄷ ｶﾞｷﾞ', '가각갂힣 한국', 'ไทย ภาษาไทยไม่มีช่องว่าง',
  'ქართული ՀԱՅԵՐԵՆ ትግርኛ ᏣᎳᎩ', 'தமிழ் తెలుగు ಕನ್ನಡ മലയാളം', '中文English混合文本test', '㐀䶵 豈更 𠀀𪛖 𫜴 丽', '々〆〇ヶー', 'line one\nline two\r\nline three\u2028four\u2029five',
  'tab\tseparated\tvalues', 'non\u00a0breaking\u2003em\u3000ideographic\u1680ogham\u180emongolian', '\u{1f1e9}\u{e0001}\u{10ffff}', 'q\u0323\u0307 \u1e69 \u1e9b\u0323', '\u0344 \u0340 \u0341 \u0374 \u037e \u0387 \u2000 \u2126', '≠ ≮ ∄ ∌ ⫝̸',
];

const sentences = (language) => languages[language].openings.flatMap((o) => languages[language].facts.map((f) => o + f));

// long texts of 40 to over 300 tokens, and of ten thousand characters.
function long() {
  const all = sentences('english');
  const list = [];
  for (let n = 3; n <= 24; n++) list.push(Array.from({ length: n }, (_, i) => all[(i * 17 + n * 5) % all.length]).join(' '));
  const fill = (text) => text.repeat(Math.ceil(10000 / [...text].length)).slice(0, 10000);
  return [...list, fill(all.join(' ')), fill('word '), fill(sentences('russian').join(' ')), fill(sentences('chinese').join('')), fill('z'), fill('-')];
}

export const texts = [...Object.keys(languages).flatMap(sentences), ...long(), ...nasty];
