package source

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
)

var cycle = regexp.MustCompile(`#\(([^)]*)\)`)

// rowOf fills a template: #i is the number of the row, #8 a day in digits, #d a day, #u a long number, #h a
// hash, #s a sentence, #l a long text, #(a|b) one of several.
func rowOf(template string, i int) string {
	nouns := []string{"council", "farmers", "police", "minister", "storm", "market", "union", "court", "school", "river"}
	pick := func(k int) string { return nouns[(i*7+k*3+i/10)%10] }
	sentence := fmt.Sprintf("%s and %s decide against the %s plan %d", pick(0), pick(1), pick(2), i)
	long := strings.Repeat(fmt.Sprintf("The %s of the %s said that %s was late. ", pick(3), pick(4), pick(5)), 4) + sentence
	template = cycle.ReplaceAllStringFunc(template, func(m string) string {
		list := strings.Split(m[2:len(m)-1], "|")
		return list[(i*5+i/3)%len(list)]
	})
	return strings.NewReplacer(
		"#i", fmt.Sprint(i), "#8", fmt.Sprintf("200302%02d", i+1), "#d", fmt.Sprintf("2017-03-%02d", i+1),
		"#u", fmt.Sprint(1467810369+7919*i), "#h", fmt.Sprintf("%08x", 2654435761*(i+1)), "#s", sentence, "#l", long,
	).Replace(template)
}

// Heads of files as public data sets have them, with the use that each column should get.
func TestHeadsOfDataSets(t *testing.T) {
	for _, c := range []struct{ name, file, header, row, want string }{
		{"ABC news", "a.csv", "publish_date,headline_text", "#8,#s", "text=headline_text time=publish_date"},
		{"Sentiment140", "a.csv", "", `"#(0|4)","#u","Mon Apr 06 22:19:45 PDT 2009","NO_QUERY","user#i","#s"`, "text=6 id=2 label=1 time=3"},
		{"IMDB", "a.csv", "review,sentiment", `"#l",#(positive|negative)`, "text=review label=sentiment"},
		{"AG News", "a.csv", "", `"#(1|2|3|4)","#s","#l"`, "text=3 label=1 title=2"},
		{"AG News with header", "a.csv", "Class Index,Title,Description", `#(1|2|3),#s,"#l"`, "text=Description label=Class Index title=Title"},
		{"Amazon reviews", "a.jsonl", "", `{"reviewerID":"A#h","asin":"B0000#(1|2|3)","reviewText":"#l","overall":#(1.0|4.0|5.0),"summary":"#s","unixReviewTime":#u,"reviewTime":"03 #i, 2014"}`, "text=reviewText id=reviewerID label=overall time=unixReviewTime"},
		{"Amazon fine food", "a.csv", "Id,ProductId,UserId,ProfileName,HelpfulnessNumerator,Score,Time,Summary,Text", `#i,B00#(1|2),A#h,n#i,#(0|1|2),#(1|5),#u,#s,"#l"`, "text=Text id=Id label=Score time=Time"},
		{"Yelp", "a.jsonl", "", `{"review_id":"#h","user_id":"u#(1|2|3|4)","business_id":"b#(1|2)","stars":#(1.0|5.0),"useful":#(0|1),"text":"#l","date":"#d 20:20:20"}`, "text=text id=review_id label=stars time=date"},
		{"Reddit comments", "a.jsonl", "", `{"author":"user#i","body":"#l","created_utc":#u,"id":"c#h","link_id":"t3_#(a|b)","score":#(1|2|3),"subreddit":"#(news|science)"}`, "text=body id=id label=subreddit time=created_utc"},
		{"Reddit posts", "a.csv", "title,score,id,url,comms_num,created,body,timestamp", `#s,#i,#h,https://www.reddit.com/r/x/#h,#i,#u,"#l",#d 10:00:00`, "text=body id=id time=timestamp title=title"},
		{"arXiv", "a.jsonl", "", `{"id":"0704.00#i","submitter":"Name #i","authors":"A. Bee #i, C. Dee","title":"#s","categories":"#(hep-ph|math.CO)","abstract":"#l","update_date":"#d"}`, "text=abstract id=id label=categories time=update_date title=title"},
		{"PubMed", "a.tsv", "PMID\tTitle\tAbstract\tJournal\tYear", "#u\t#s\t#l\t#(Lancet|BMJ)\t#(2001|2002|2003)", "text=Abstract id=PMID label=Journal time=Year title=Title"},
		{"Bundestag", "a.csv", "id;datum;partei;sprecher;inhalt", `#i;#d;#(SPD|CDU|DIE LINKE);Name #i;"#l"`, "text=inhalt id=id label=partei time=datum"},
		{"Bundestag, Open Discourse", "a.csv", "id,session,electoralTerm,firstName,lastName,politicianId,speechContent,factionId,documentUrl,positionShort,date", `#i,#(1|2),19,Anna#i,Berg,110#i,"#l",#(3|4),https://dip.de/#i,#(Member|Guest),#d`, "text=speechContent id=id label=positionShort time=date"},
		{"Hansard", "a.csv", "id,speech,display_as,party,constituency,mnis_id,date,time,gender", `uk.org/#i,"#l",Name #i,#(Labour|Conservative),Place #i,#i,#d,14:30:00,#(M|F)`, "text=speech id=id label=party time=date"},
		{"State of the Union", "a.csv", "president,year,title,text", `#(Washington|Adams|Grant),18#(01|02|03|04|05|06|07|08|09|10|11|12),Address #i,"#l"`, "text=text label=president time=year title=title"},
		{"UN debates", "a.csv", "session,year,country,text", `#(25|26),#(1970|1971|1972),#(ALB|ARG|AUS),"#l"`, "text=text label=country time=year"},
		{"days of a study", "a.csv", "day,party,text", `1#i,#(a|b),"#l"`, "text=text label=party"},
		{"days of a year as a time", "a.csv", "time,party,text", `#i,#(a|b),"#l"`, "text=text label=party"},
		{"months in digits", "a.csv", "month,party,text", `2003#(01|02|03|04|05|06|07|08|09|10|11|12),#(a|b),"#l"`, "text=text label=party time=month"},
		{"StackOverflow", "a.csv", "Id,OwnerUserId,CreationDate,Score,Title,Body", `#u,#i,#dT13:57:07Z,#(1|26),#s,<p>#l</p>`, "text=Body id=Id label=Score time=CreationDate title=Title"},
		{"Hacker News", "a.csv", "id,title,url,num_points,num_comments,author,created_at", `#u,#s,http://www.x.org/#i,#i,#i,user#i,8/4/2016 11:52`, "text=title id=id time=created_at"},
		{"SMS spam", "SMSSpamCollection", "", "#(ham|ham|spam)\t#s", "text=2 label=1"},
		{"SMS spam of Kaggle", "a.csv", "v1,v2,,,", `#(ham|spam),"#s",,,`, "text=v2 label=v1"},
		{"BBC", "a.csv", "category,text", `#(tech|sport|business),"#l"`, "text=text label=category"},
		{"category and text without a header", "a.csv", "", `#(tech|sport|business|politics|art|travel|food|health|money);#l`, "text=2 label=1"},
		{"20 newsgroups", "a.csv", ",content,target,target_names", `#i,"#l",#(7|4),#(rec.autos|comp.sys)`, "text=content id=1 label=target"},
		{"NYT comments", "a.csv", "articleID,commentBody,commentID,createDate,newDesk,userDisplayName", `#(58a|58b),#l,#u,#u,#(Insider|OpEd),name#i`, "text=commentBody id=commentID label=newDesk time=createDate"},
		{"Trump tweets", "a.csv", "id,text,isRetweet,isDeleted,device,favorites,retweets,date", `#u,#s,#(f|t),f,#(Twitter for iPhone|Android),#i,#i,#d 15:26:37`, "text=text id=id label=isRetweet time=date"},
		{"Airbnb reviews", "a.csv", "listing_id,id,date,reviewer_id,reviewer_name,comments", `#(2015|2016),#u,#d,#i,Name#i,"#l"`, "text=comments id=id label=listing_id time=date"},
		{"Goodreads", "a.jsonl", "", `{"user_id":"#(a|b)","book_id":"#(1|2)","review_id":"#h","rating":#(1|2|3),"review_text":"#l","date_added":"Fri Aug 25 13:55:02 -0700 2017","n_votes":#i}`, "text=review_text id=review_id label=rating time=date_added"},
		{"wine reviews", "a.csv", ",country,description,designation,points,price,province,title,variety,winery", `#i,#(Italy|Spain),"#l",D #i,#(87|90),#i.0,#(Sicily|Rioja),Wine name #i (Sicily),#(White Blend|Rosso),Winery #i`, "text=description id=1 label=country title=title"},
		{"Steam reviews", "a.csv", "app_id,app_name,review_text,review_score,review_votes", `#(10|20),#(Counter|Half),"#s",#(1|-1),#(0|1)`, "text=review_text label=review_score"},
		{"job ads", "a.csv", "job_id,title,location,department,company_profile,description,requirements,fraudulent", `#i,Engineer level #i,"US, NY",#(Sales|IT),,"#l",#s,#(0|1)`, "text=description id=job_id label=department title=title"},
		{"patents", "a.tsv", "patent_id\tpatent_date\tpatent_title\tpatent_abstract\twipo_kind", "#u\t#d\t#s\t#l\t#(B1|B2)", "text=patent_abstract id=patent_id label=wipo_kind time=patent_date title=patent_title"},
		{"court decisions", "a.jsonl", "", `{"case_name":"A v. B #i","docket_number":"#i-#u","court":"#(ca9|scotus)","date_filed":"#d","plain_text":"#l"}`, "text=plain_text label=court time=date_filed"},
		{"News category", "a.jsonl", "", `{"link":"https://www.huffpost.com/#h","headline":"#s","category":"#(U.S. NEWS|COMEDY)","short_description":"#l","authors":"Name #i","date":"#d"}`, "text=short_description label=category time=date title=headline"},
		{"fake news", "a.csv", "title,text,subject,date", `#s,"#l",#(politicsNews|worldnews),"December 31, 2017"`, "text=text label=subject time=date title=title"},
		{"Quora", "a.csv", "qid,question_text,target", `#h,#s,#(0|0|1)`, "text=question_text label=target"},
		{"toxic comments", "a.csv", "id,comment_text,toxic,severe_toxic,obscene", `#h,"#l",#(0|1),0,0`, "text=comment_text id=id label=toxic"},
		{"TED talks", "a.csv", "transcript,url", `"#l",https://www.ted.com/talks/t#i`, "text=transcript"},
		{"song lyrics", "a.csv", "artist,song,link,text", `#(ABBA|Queen),Song name #i,/a/abba/s_#i.html,"#l"`, "text=text label=artist title=song"},
		{"recipes", "a.csv", "id,name,minutes,submitted,tags,steps,description", `#i,pie number #i,#i,#d,"['a#i', 'b']","['bake it #i']","#l"`, "text=description id=id time=submitted title=name"},
		{"survey", "a.csv", "Timestamp,What do you like about our service and why?,How old are you?", `3/#i/2024 10:00:00,"#l",#(18-25|26-40)`, "text=What do you like about our service and why? label=How old are you? time=Timestamp"},
		{"consumer complaints", "a.csv", "Date received,Product,Sub-product,Issue,Consumer complaint narrative,Company,State,Complaint ID", `03/0#(1|2|3|4)/2019,#(Mortgage|Credit card),,#(Fees|Fraud),"#l",#(BANK A|BANK B),#(CA|NY),#u`, "text=Consumer complaint narrative id=Complaint ID label=Product time=Date received"},
		{"app reviews", "a.csv", "reviewId,userName,content,score,thumbsUpCount,reviewCreatedVersion,at,appVersion", `#h-1,User #i,#s,#(1|5),#i,1.#i,#d 08:09:10,1.0`, "text=content id=reviewId label=score time=at"},
		{"Wikipedia", "a.jsonl", "", `{"id":"#i","url":"https://en.wikipedia.org/wiki?curid=#i","title":"Name #i","text":"#l"}`, "text=text id=id title=title"},
		{"Enron", "a.csv", "file,message", `allen-p/_sent_mail/#i.,"Subject: #l"`, "text=message id=file"},
		{"Chinese", "a.csv", "日期,标题,内容,类别", `#d,新闻第#i条标题,"今天天气很好，市场上的人们都在讨论第#i号经济政策。",#(体育|财经)`, "text=内容 label=类别 time=日期 title=标题"},
		{"Spanish", "a.csv", "fecha;partido;texto", `#d;#(PP|PSOE);"#l"`, "text=texto label=partido time=fecha"},
		{"French", "a.csv", "Identifiant;Date;Groupe politique;Texte du discours", `#i;0#(1|2|3)/04/2019;#(LREM|LFI);"#l"`, "text=Texte du discours label=Groupe politique time=Date"},
		{"Russian", "a.csv", "дата,заголовок,текст,категория", `#d,#s,"#l",#(спорт|наука)`, "text=текст label=категория time=дата title=заголовок"},
		{"Portuguese", "a.csv", "data,partido,conteúdo", `#d,#(PT|PSDB),"#l"`, "text=conteúdo label=partido time=data"},
		{"Turkish", "a.csv", "tarih,başlık,içerik,kategori", `#d,#s,"#l",#(spor|siyaset)`, "text=içerik label=kategori time=tarih title=başlık"},
		{"Polish", "a.csv", "data;tytuł;treść;kategoria", `#d;#s;"#l";#(sport|nauka)`, "text=treść label=kategoria time=data title=tytuł"},
		{"Dutch", "a.tsv", "datum\tpartij\ttekst", "#d\t#(VVD|CDA)\t#l", "text=tekst label=partij time=datum"},
		{"Japanese", "a.csv", "日付,本文", `#d,"これは第#i回の会議の記録です。市場と経済についての長い議論がありました。"`, "text=本文 time=日付"},
		{"Arabic", "a.csv", "التاريخ,العنوان,النص", `#d,#s,"#l"`, "text=النص time=التاريخ title=العنوان"},
		{"decimal comma", "a.csv", "wert;antwort;gewicht", `#(1|2|3);"#l";0,#i`, "text=antwort label=wert"},
		{"days without separators and no header", "a.csv", "", `#8,"#s"`, "text=2 time=1"},
		{"three columns without a header", "a.tsv", "", "#8\t#(a|b)\t#l", "text=3 label=2 time=1"},
		{"text and label without a header", "a.csv", "", `"#l",#(pos|neg)`, "text=1 label=2"},
		{"pandas without names", "a.csv", ",0", `#i,"#l"`, "text=0 id=1"},
		{"names that say nothing", "a.csv", "q1,q2,q3", `#(ja|nein),#i,"#l"`, "text=q3 label=q1"},
		{"camel case", "a.csv", "docId,publishedAt,articleBody,newsSource", `d#h,#dT10:00:00Z,"#l",#(CNN|BBC)`, "text=articleBody id=docId label=newsSource time=publishedAt"},
		{"pipes", "a.csv", "Date|Speaker|Remarks", "#d|#(Smith|Jones)|#l", "text=Remarks label=Speaker time=Date"},
		{"comments that are counts", "a.csv", "title,comments,likes,story", `#s,#i,#i,"#l"`, "text=story title=title"},
		{"tweets with hash marks", "a.tsv", "tweet_id\tcreated_at\tfull_text\tlang", "#u\tWed Oct 10 20:19:24 +0000 2018\t#s #hash @name https://t.co/x\t#(en|de)", "text=full_text id=tweet_id label=lang time=created_at"},
		{"lines of songs", "a.csv", `"line","song_id","song_name","artist_id","artist_name","song_line"`, `"#s",50#(1|2),"#(The long road home to you, live|One)",498,"Singer",#i`, "text=line label=song_name"},
		{"bestsellers", "a.tsv", "id\ttitle\tauthor\tyear\ttotal_weeks\tfirst_week\tdebut_rank", "#i\tWinter House #i\tAnna Berg#i\t19#(91|92|93)\t#i\t#d\t#i", "text=title id=id time=year"},
		{"films", "a.csv", "tconst,title_type,primary_title,year,average_rating,num_votes", "tt00#i,#(movie|tvMovie),Quiet Night #i,19#(29|31|32),5.#i,#i", "text=primary_title label=title_type time=year"},
		{"German news with single quotation marks", "a.csv", "", `#(Sport|Kultur|Web);'Der Rat, der "alte" Bund; und das Land #i#(, ach|) sagt: #s; dann #(eins; zwei|drei)'`, "text=2 label=1"},
		{"GermEval", "a.txt", "", "@name \"Ja\" sagte er, #s\t#(OTHER|OFFENSE)\t#(OTHER|INSULT|ABUSE)", "text=1 label=2"},
		{"tweets that begin with quotation marks", "a.tsv", "", "\"Ja\" sagte er, #s\t#(OTHER|OFFENSE)\t#(OTHER|INSULT|ABUSE)", "text=1 label=2"},
		{"comments on videos", "a.csv", "id,video_id,author_id,text,created_ts,likes,dislikes,replies_count", `#u,v#(1|2),#i,"#s",#dT01:53:09,#(0|1|2),#(0|1),0`, "text=text id=id label=video_id time=created_ts"},
		{"reviews by few people", "a.csv", "id,username,whisky_id,rating,comment", `#i,#(john|mari|lea),#(0|1),#(1|4|5),#s`, "text=comment id=id label=rating"},
		{"form of Google", "a.csv", "Timestamp,How do you read?,Why do you prefer the answer above?", `2018/11/#i 7:07:17 pm GMT-8,#(Laptop|Paper),"#l"`, "text=Why do you prefer the answer above? label=How do you read? time=Timestamp"},
		{"letters", "a.csv", "sender,sent,letter", `#(Anna|Karl),"October #ith, 1891","#l"`, "text=letter label=sender time=sent"},
		{"commencement speeches", "a.csv", "president,president_name,title,date,city,state", `#(33|34|35),#(Truman|Ford),Address at the university of place #i,6/#i/47,City #i,#(NJ|CA)`, "text=title label=state time=date"},
		{"regulation", "a.tsv", "chapter\tchapter_title\tarticle\tarticle_title\tsub_article\tgdpr_text\thref", "#(1|2)\t#(General rules|Rights)\t#i\tOn matter #i\t1\t#l\thttp://x.eu/#i", "text=gdpr_text label=chapter_title title=article_title"},
		{"game reviews", "a.tsv", "grade\tuser_name\ttext\tdate", "#(0|4|10)\tname#i\t#l\t#d", "text=text label=grade time=date"},
		{"scenes", "a.csv", "id,scene_description", "#i,[#s]", "text=scene_description id=id"},
		{"catalogue of films", "a.csv", "show_id,type,title,director,cast,country,date_added,release_year,rating,duration,listed_in,description", `s#i,#(Movie|TV Show),Name #i,Dee #i,"A #i, B",#(Brazil|Spain),"August 14, 2020",20#(16|17|18),#(R|PG),#i min,#(Dramas|Comedies),"#l"`, "text=description id=show_id label=type time=release_year title=title"},
		{"tweets whose text is the client", "a.csv", "datetime,content,retweet_count,like_count,text,username,verified", `#dT11:42:29Z,#s,0,#i,"<a href=""http://x.com"">Phone</a>",user#(1|2|3),TRUE`, "text=content label=username time=datetime"},
		{"organisations", "a.csv", "publication_name,url,city,state,year_founded,summary", `Paper #i,http://x#i.org,Town #i,#(TX|NY),20#(01|02|03),"#l"`, "text=summary label=state time=year_founded"},
		{"dialogue", "a.csv", `"season","episode","line","raw_text","dialogue","start_time"`, `#(1|2),#i,#i,"[#s] #s","#s","00:00:07"`, "text=raw_text label=season"},
		{"fact checks", "a.csv", "title,url,rating,subtitle,author,published,claim", `Did it rain on day #i?,https://x.com/#i,#(true|false),A tale of old #i,Dee #(A|B),#d,"#l"`, "text=claim label=rating time=published title=title"},
		{"papers with parts of dates", "a.csv", "pmid,doi,jabbrv,journal,year,month,day,title,abstract", `#u,10.1/#h,#(AJ|BJ),#(Annals|Bulletin),20#(10|11|12),#(1|2|3),#(5|6),#s,"#l"`, "text=abstract id=doi label=journal time=year title=title"},
		{"German headlines of a crawler", "a.csv", "url,id,date,og:title,og:description,h1,label", `https://www.zeitung.de/#i,z-#i,#dT18:37:51+01:00,"#s","#l",#s,#(ja|nein)`, "text=og:description id=id label=label time=date title=og:title"},
		{"Spanish comments", "a.csv", ",video_id,comment_id,author_name,comment_text,published_at", `#i,BaI#(a|b),Ug#h,@name#i,"#s",#dT03:29:43Z`, "text=comment_text id=comment_id label=video_id time=published_at"},
		{"Chinese films without a header", "a.csv", "", `影片第#i号,"一场谋杀案使银行家第#i次蒙冤入狱，指控将囚禁他终生，监狱里的人们都在讨论。",#(9.6|9.5|9.4)`, "text=2 label=3 title=1"},
		{"Arabic comments", "a.csv", "\ufeffID,comment,label", `#i,"هذا تعليق رقم #i عن الاقتصاد والسوق في المدينة",#(0|1)`, "text=comment id=ID label=label"},
		{"Polish tweets", "a.csv", ",label,tweet", `#i,#(0|1),"@konto Moim zdaniem mecz numer #i będzie bardzo ciekawy"`, "text=tweet id=1 label=label"},
		{"French reviews", "a.csv", "comment,sentiment", `"Nous sommes arrivés à temps le #i mars et le personnel était très accueillant",#(1|0)`, "text=comment label=sentiment"},
		{"prepared reviews", "a.csv", ",Clean Review,Review,Title,Content,Rating,Sentiment,Year,Month,Day", `#i,sound decent #s,"#l",good sound #i,"#l",#(1|5),#(Positive|Negative),202#(1|2|3),5,#i`, "text=Content id=1 label=Sentiment time=Year title=Title"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			var b strings.Builder
			if c.header != "" {
				b.WriteString(c.header + "\n")
			}
			rows := 12
			if strings.Contains(c.row, "|health|") {
				rows = 60 // nine values are few only among many
			}
			for i := range rows {
				b.WriteString(rowOf(c.row, i+1) + "\n")
			}
			if err := os.WriteFile(c.file, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := Open([]string{c.file}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if got := used(r.Taken()); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			docs := 0
			var doc Document
			for r.Next(&doc) == nil {
				docs++
			}
			if docs != rows {
				t.Errorf("%d documents", docs)
			}
		})
	}
}

// used lists the uses of columns.
func used(t Taken) string {
	var list []string
	for _, use := range roles.Uses {
		i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Use == use })
		if i < 0 {
			continue
		}
		list = append(list, use+"="+t.Columns[i].Name)
	}
	return strings.Join(list, " ")
}
