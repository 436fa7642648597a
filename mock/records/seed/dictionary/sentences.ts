import { read } from './look-up.ts';
import type { Subject } from './subject.ts';

/** What texts say in a language, by kind. Of languages that stand here not at all faker has sentences. */
const SENTENCES = `
en title = Ten quiet places to read in {city}|A weekend in {city}|The best breakfast in {city}|How we moved to {city}|Letters from {city}|Where to eat in {city}|A short history of {city}|Winter in {city}|Cycling around {city}|Small museums of {city}|Night trains to {city}
en description = Made in small batches and checked by hand.|A good choice for beginners and professionals.|Popular with families, and open all year.|Close to the station and easy to reach.|Everything that is needed to start, in one place.|Quiet in the morning, busy after work.|Agreed with the team in the last meeting.|Includes a short introduction and three examples.|Needs some care, and gives a lot in return.|Replaces the version of last year.
en product = Made to last, and easy to repair.|Soft to the touch, and tougher than it looks.|Our bestseller, now in three new colours.|Made by hand in a small workshop.|Fits any room, and folds away in seconds.|Light enough to take along, strong enough to stay.|From responsible sources, and packed without plastic.|A timeless piece for every day.|Simple lines, honest materials.|A gift that is used every day.
en bio = Likes long walks, short meetings and strong coffee.|Writes about food and travel.|Builds small tools that solve big problems.|Grew up by the sea, and never quite left it.|Photographer on weekends, accountant on weekdays.|Reads more books than there is room for.|Twenty years in logistics, still curious.
en visit = Annual check-up|Vaccination|Follow-up after surgery|Dental cleaning|Blood test|Skin rash|Limping on the left side
en comment = Thanks, that helped a lot!|Could you add a picture of the second step?|I had the same problem last week.|Great read, looking forward to the next part.|Not sure that I agree with the last point.|Works for me now.|Can somebody confirm this?|Please have another look at the numbers.
en review = Better than expected, would buy again.|Good quality for the price.|Arrived quickly, exactly as described.|Not bad, but smaller than it looks.|My third one, never disappointed.|The instructions could be clearer.
en question = Which size fits best?|When does it open?|Can I change this later?|What is included?|How long does it take?
en reason = Changed plans|Wrong size|Found a better price|Duplicate|No longer needed
de title = Ein Wochenende in {city}|Zehn ruhige Orte in {city}|Das beste Frühstück in {city}|Winter in {city}|Eine kurze Geschichte von {city}|Mit dem Rad um {city}
de description = In kleinen Mengen hergestellt und von Hand geprüft.|Eine gute Wahl für Anfänger und Fortgeschrittene.|Nah am Bahnhof und gut zu erreichen.|Alles, was man zum Anfang braucht.|Bei Familien beliebt und ganzjährig geöffnet.|Ersetzt die Fassung vom letzten Jahr.
de comment = Danke, das hat sehr geholfen!|Könnten Sie ein Bild ergänzen?|Letzte Woche hatte ich dasselbe Problem.|Besser als erwartet, gerne wieder.|Bitte die Zahlen noch einmal prüfen.|Schnell geliefert, genau wie beschrieben.|Wann ist geöffnet?
fr title = Un week-end à {city}|Dix endroits calmes à {city}|Où prendre le petit-déjeuner à {city}|L’hiver à {city}|Une brève histoire de {city}
fr description = Fabriqué en petites séries et vérifié à la main.|Un bon choix pour débuter.|Près de la gare et facile d’accès.|Tout ce qu’il faut pour commencer.|Apprécié des familles et ouvert toute l’année.|Remplace la version de l’année dernière.
fr comment = Merci, cela m’a beaucoup aidé !|Pourriez-vous ajouter une image ?|J’ai eu le même problème la semaine dernière.|Mieux que prévu, je recommande.|Merci de revoir les chiffres.|Livré rapidement, conforme à la description.|Quels sont les horaires ?
es title = Un fin de semana en {city}|Diez lugares tranquilos de {city}|El mejor desayuno de {city}|El invierno en {city}|Breve historia de {city}
es description = Hecho en pequeñas series y revisado a mano.|Una buena opción para empezar.|Cerca de la estación y fácil de encontrar.|Todo lo necesario para empezar.|Ideal para familias y abierto todo el año.|Sustituye a la versión del año pasado.
es comment = ¡Gracias, me ha ayudado mucho!|¿Se puede añadir una imagen?|Tuve el mismo problema la semana pasada.|Mejor de lo esperado, repetiría.|Conviene revisar las cifras.|Llegó rápido y tal como se describe.|¿Cuál es el horario?
it title = Un fine settimana a {city}|Dieci luoghi tranquilli di {city}|La migliore colazione di {city}|L’inverno a {city}|Breve storia di {city}
it description = Prodotto in piccole serie e controllato a mano.|Una buona scelta per iniziare.|Vicino alla stazione e facile da raggiungere.|Tutto il necessario per cominciare.|Adatto alle famiglie e aperto tutto l’anno.|Sostituisce la versione dell’anno scorso.
it comment = Grazie, mi è stato molto utile!|Si può aggiungere un’immagine?|Ho avuto lo stesso problema la settimana scorsa.|Meglio del previsto, lo ricomprerei.|Da ricontrollare i numeri.|Arrivato in fretta, come descritto.|Quali sono gli orari?
pt title = Um fim de semana em {city}|Dez lugares tranquilos de {city}|Onde comer em {city}|O inverno em {city}|Breve história de {city}
pt description = Feito em pequenas séries e verificado à mão.|Uma boa escolha para começar.|Perto da estação e fácil de encontrar.|Tudo o que é preciso para começar.|Ideal para famílias e aberto todo o ano.|Substitui a versão do ano passado.
pt comment = Obrigado, ajudou muito!|É possível acrescentar uma imagem?|Tive o mesmo problema na semana passada.|Melhor do que o esperado, recomendo.|Convém rever os números.|Chegou depressa, tal como descrito.|Qual é o horário?
nl title = Een weekend in {city}|Tien rustige plekken in {city}|Het beste ontbijt van {city}|Winter in {city}|Een korte geschiedenis van {city}
nl description = In kleine oplagen gemaakt en met de hand gecontroleerd.|Een goede keuze voor beginners.|Dicht bij het station en goed bereikbaar.|Alles wat nodig is om te beginnen.|Geliefd bij gezinnen en het hele jaar open.|Vervangt de versie van vorig jaar.
nl comment = Bedankt, dat hielp enorm!|Kan er een foto bij?|Vorige week had ik hetzelfde probleem.|Beter dan verwacht, een aanrader.|Graag de cijfers nog eens nakijken.|Snel geleverd, precies zoals beschreven.|Wanneer is het open?
pl title = {city} na weekend|Dziesięć cichych miejsc: {city}|Gdzie zjeść śniadanie: {city}|{city} zimą|{city}: krótka historia
pl description = Wytwarzane w małych seriach i sprawdzane ręcznie.|Dobry wybór na początek.|Blisko dworca i łatwo dojechać.|Wszystko, co potrzebne na start.|Lubiane przez rodziny, czynne cały rok.|Zastępuje zeszłoroczną wersję.
pl comment = Dziękuję, bardzo pomogło!|Czy można dodać zdjęcie?|W zeszłym tygodniu był ten sam problem.|Lepsze, niż się spodziewałam.|Proszę jeszcze raz sprawdzić liczby.|Szybka dostawa, zgodnie z opisem.|W jakich godzinach jest otwarte?
ru title = Выходные: {city}|Десять тихих мест: {city}|Где позавтракать: {city}|{city} зимой|{city}: краткая история
ru description = Изготовлено малыми партиями и проверено вручную.|Хороший выбор для начинающих.|Рядом с вокзалом, легко добраться.|Всё необходимое для начала.|Подходит для всей семьи, открыто круглый год.|Заменяет прошлогоднюю версию.
ru comment = Спасибо, очень помогло!|Можно добавить фотографию?|На прошлой неделе была та же проблема.|Лучше, чем ожидалось.|Прошу ещё раз проверить цифры.|Доставили быстро, всё как в описании.|Когда открыто?
ja title = {city}の週末|{city}の静かな十か所|{city}で朝食を|{city}の冬|{city}の小さな歴史
ja description = 少量ずつ作り、手作業で確認しています。|初めての方にもおすすめです。|駅から近く、便利な場所にあります。|始めるのに必要なものがすべてそろっています。|家族連れに人気で、一年中開いています。|昨年の版に代わるものです。
ja comment = ありがとうございます、とても助かりました。|写真を追加していただけますか？|先週、同じ問題がありました。|期待以上でした。|数字をもう一度ご確認ください。|すぐに届きました。|営業時間は何時までですか？
zh title = {city}的周末|{city}最安静的十个地方|{city}早餐指南|{city}的冬天|{city}小史
zh description = 小批量制作，逐件检查。|适合初学者。|离车站很近，交通方便。|入门所需，一应俱全。|适合家庭，全年开放。|取代去年的版本。
zh comment = 谢谢，很有帮助！|可以加一张图片吗？|上周我也遇到同样的问题。|比预期的好。|请再核对一下数字。|送货很快，与描述一致。|营业时间是什么时候？
ar title = عطلة نهاية الأسبوع في {city}|عشرة أماكن هادئة في {city}|أفضل فطور في {city}|الشتاء في {city}|تاريخ موجز: {city}
ar description = يُصنع بكميات صغيرة ويُفحص يدويًا.|خيار جيد للمبتدئين.|قريب من المحطة وسهل الوصول.|كل ما يلزم للبدء في مكان واحد.|مناسب للعائلات ومفتوح طوال العام.|يحل محل نسخة العام الماضي.
ar comment = شكرًا، كان مفيدًا جدًا!|هل يمكن إضافة صورة؟|واجهت المشكلة نفسها الأسبوع الماضي.|أفضل من المتوقع.|يرجى مراجعة الأرقام مرة أخرى.|وصل بسرعة كما هو موصوف.|ما هي ساعات العمل؟
`;

const BY_KIND = read(SENTENCES.replace(/^(\w+) (\w+) /gm, '$1~$2 '));

/** In a language, a sentence of a kind, else of its comments; of an article several. Titles and reasons have no full stop. */
export function sentence(kind: string, { library, random }: Subject): string {
  const { language } = new Intl.Locale(library.language);
  const count = kind === 'article' ? 6 : 1;
  const own = BY_KIND.get(`${language}~${kind === 'article' ? 'description' : kind}`);
  const texts = (own ?? BY_KIND.get(`${language}~comment`))?.split('|');
  if (!texts) {
    const text = library.from(random).lorem.sentences(count);
    return kind === 'title' || kind === 'reason' ? text.replace(/[.。]$/, '') : text;
  }
  if (!own && kind === 'question') return random.pick(texts.filter((text) => /[?？؟]$/.test(text)));
  const from = random.integer(0, texts.length - 1);
  return Array.from({ length: count }, (_, at) => texts[(from + at) % texts.length]).join(' ');
}
